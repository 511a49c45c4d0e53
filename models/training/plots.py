"""The story grammar: `[a|b]` chooses, `{name}` is a rule below or a fact of the story that is being told.

Facts are drawn once per story and come back later in it; whoever predicts the next word has to look them up.
"""

RULES = {
    "opening": """[
        Once upon a time, there was a {feeling} {kind} named {hero}. {home} |
        Once upon a time, there was a {kind} named {hero}. {home} |
        Once upon a time, a {feeling} {kind} named {hero} lived {near0}. |
        Once upon a time, a {kind} named {hero} lived with {elder} {near0}. |
        Long ago, a {feeling} {kind} named {hero} lived {near0}. |
        There once was a {kind} named {hero}. {home}]""",
    "home": "[{He} lived {near0}. | {He} lived with {elder} {near0}. | {His} house stood {near0}.]",
    "day": "[One {weather} morning | One {weather} day | One day | On a {weather} day]",
    "asked": "[asked | said]",
    "sad": "[{He} was very sad. | {He} began to cry. | {He} did not know what to do. |]",
    "glad": "[{hero} was very happy. | {hero} jumped with joy. | {hero} laughed. | How happy {hero} was!]",
    "thanks": """[ "Thank you, {a}!" said {hero}. | {hero} gave {a} a big hug. | {hero} thanked {a} the {a_kind}. ]""",
    "supper": """[That evening | When the sun went down | At supper],
        [they ate {food} together. | they all shared {food}. | {elder} made {food} for everyone.]""",
    "lesson": """[{hero} never forgot that day. | It was the best day of all. | From that day on, {hero} and {a} were the best of friends. |
        {hero} went to bed with a smile. | And they all lived happily. ]""",
    "tell": "[At bedtime | Before {he} went to sleep | Back at home], {elder} asked {hero} about the day.",

    # Something is lost, looked for in three places, and found.
    "lost": """{opening} {hero} had a {thing}. [It was a gift from {elder}. | {He} loved it more than anything. | {elder} had made it for {him}.]
        {day}, {hero} [took the {thing} and went for a walk | played with the {thing}], but then the {thing} was gone. {sad}
        [{hero} met {a} the {a_kind}. | Then {a} the {a_kind} came along.]
        "[Have you seen|Did you see] my {thing}?" {asked} {hero}. "No," said {a}, "but I will help you look."
        First they looked {spot1}. [The {thing} was not there. | They found only a {thing2}.]
        Then they looked {spot2}. [It was not there. | There they met {b} the {b_kind}, who had lost a {thing3}.]
        At last they looked {spot3}. [There it was! | There was the {thing}!] {glad} {thanks}
        {tell} "Where was your {thing}?" "It was {spot3}," said {hero}. "And who helped you?" "{a} the {a_kind} did," said {hero}. {lesson}""",

    # Three friends hide; each is found where he or she hid.
    "hide": """{opening} {day}, {hero} and {his} friends played hide and seek.
        {hero} closed {his} eyes and counted to ten. {a} the {a_kind} hid {spot1}. {b} the {b_kind} hid {spot2}.
        {c} the {c_kind} hid {spot3}. "[Ready or not, here I come!|I am coming to find you!]" said {hero}.
        [First {he} looked {spot1}. "I see you, {a}!" | First {he} looked {spot1}, and there was {a}.]
        [Then {he} looked {spot2}. "I see you, {b}!" | Then {he} looked {spot2}, and there was {b}.]
        But where was {c}? [Then {he} heard a laugh | Then something moved] {spot3}. "I see you, {c}!" said {hero}.
        "Now it is my turn to look for you," said {a}. {supper}
        {tell} "{a} hid {spot1}, {b} hid {spot2}, and {c} hid {spot3}," said {hero}. "And I found them all!" {lesson}""",

    # A message has to be carried word for word.
    "message": """{opening} {day}, {elder} said, "{hero}, please go to {a} the {a_kind}, who lives {near1}.
        Say that the {thing} is {spot2}. [Do not forget!|Can you remember that?]" "[I will not forget|I can remember that]," said {hero}, and off {he} went.
        On the way {hero} met {b} the {b_kind}. "[Come and play with me|Stay and eat {food} with me]," said {b}.
        "[I cannot stay|Not now]," said {hero}. "I must tell {a} that the {thing} is {spot2}."
        [It began to rain, but {hero} went on. | The way was long, but {hero} went on. | {hero} ran and ran.]
        At last {he} came to {a}, who lived {near1}. "[What is it?|Why do you run so fast?]" {asked} {a}. "The {thing} is {spot2}," said {hero}.
        [{a} was so happy that {a_he} danced. | "Oh, what good news!" said {a}.] They went there together, and there was the {thing}.
        {thanks_back} {supper} {lesson}""",
    "thanks_back": """[ "Thank you, {hero}!" said {a}. | {a} thanked {hero} and gave {him} a {thing2}. | {a} gave {hero} some {food}. ]""",

    # A chain of trades, told at the end once more.
    "trade": """{opening} {day}, {hero} found a {thing} {spot1}. [It was pretty, but {hero} wanted a {thing4}. | But what {hero} really wanted was a {thing4}.]
        {hero} met {a} the {a_kind}, who had a {thing2}. "[I like your {thing}|What a fine {thing}]," said {a}. "Will you trade?"
        So {hero} gave {a} the {thing} and got the {thing2}. Then {hero} met {b} the {b_kind}, who had a {thing3}.
        "[I need a {thing2}|I have always wanted a {thing2}]," said {b}. So {hero} gave {b} the {thing2} and got the {thing3}.
        {c} the {c_kind} sat {near2} and was sad. "I lost my {thing3}," said {c}.
        "You may have this one," said {hero}. {c} [was so happy|smiled]. "Then take my {thing4}," said {c}. {glad}
        {tell} "{a} has the {thing}, {b} has the {thing2}, and {c} has the {thing3}," said {hero}. "And I have the {thing4}!" {lesson}""",

    # A map with three stops leads to a treasure.
    "map": """{opening} {day}, {hero} found an old map {spot4}. The map said: "Start {spot1}. Then go {spot2}. Dig {spot3}."
        {hero} ran to {a} the {a_kind}. "[Look, a map!|Come with me!]" said {hero}. "[Let us go and find the treasure|Then we must hurry]," said {a}.
        [So off they went. | They took some {food} and went off.] They started {spot1}. Then they went {spot2}.
        There sat {b} the {b_kind}. "[Where are you going?|What are you looking for?]" {asked} {b}. "We must dig {spot3}," said {hero}.
        "[I will come too|Then I will help you]," said {b}. So the three of them went there and began to dig.
        [Then they hit something hard. | Then {a} saw something.] It was a {box}! In it was a {thing}, a {thing2} and a {thing3}.
        {hero} took the {thing}, {a} took the {thing2}, and {b} took the {thing3}. {glad}
        {tell} "We dug {spot3}," said {hero}, "and I got this {thing}." {lesson}""",
    "box": "[box|chest]",

    # A contest with three answers and one winner.
    "contest": """{opening} {day}, {elder} said, "Who can bring me the best thing? The winner gets {food}."
        {a} the {a_kind} found a {thing} {spot1}. {b} the {b_kind} found a {thing2} {spot2}. {hero} looked {spot3}, but [found nothing | there was nothing].
        On the way home {hero} saw {c} the {c_kind}, who had hurt {c_his} foot. {hero} carried {c} home.
        "Show me what you found," said {elder}. "I found a {thing} {spot1}," said {a}. "I found a {thing2} {spot2}," said {b}.
        "I found only {c}," said {hero}, "and {c_he} needs help." [{elder} smiled. |] "The {thing} is good, and the {thing2} is good too," said {elder},
        "but a kind heart is best of all." So {hero} won the {food} and shared it with {a}, {b} and {c}. {lesson}""",

    # First lessons: little else can be said in them than what was just told, so that a model soon learns to look back.
    "meet": "[There was a {kind} named {hero}. | Once upon a time, there was a {feeling} {kind} named {hero}. | Long ago, a {kind} named {hero} lived {near0}.]",
    "act": """[{hero} ran {spot1}. | {hero} sat {spot2}. | {hero} found a {thing}. | {hero} was glad. | {hero} sang. | {hero} ate {food}. |
        "Hello," said {hero}. | {hero} laughed. | {hero} slept.]""",
    "alone": "{meet} {act} {act} {act} {act} {act} {act} {act} {act} {act} {act}",
    "two": """{meet} {hero} met {a} the {a_kind}. "Hello, {a}," said {hero}. "Hello, {hero}," said {a}. {act}
        [{a} laughed. | {a} sang. | {a} was glad. | {a} had a {thing2}.] {act} {supper} {thanks} {act}""",
    "gone": """{hero} had a {thing}. {day}, {hero} lost the {thing}. {hero} looked {spot1}. The {thing} was not there.
        {hero} looked {spot2}. There was the {thing}! {tell} "Where was your {thing}?" "It was {spot2}," said {hero}. {act}""",
    "hidden": """{a} the {a_kind} hid {spot1}. {b} the {b_kind} hid {spot2}. {hero} looked {spot1}. "I see you, {a}!" said {hero}.
        {hero} looked {spot2}. "I see you, {b}!" said {hero}. {tell} "{a} hid {spot1} and {b} hid {spot2}," said {hero}.""",
    "owners": """{a} has a {thing}. {b} has a {thing2}. {c} has a {thing3}. "Who has the {thing2}?" asked {hero}. "{b} has the {thing2}," said {a}.
        "And who has the {thing}?" "{a} has the {thing}," said {b}. "And {c} has the {thing3}!" said {hero}.""",
    "trip": """{hero} went {spot1}. Then {hero} went {spot2}. {hero} found a {thing} {spot3}. {tell} "I went {spot1}. Then I went {spot2},"
        said {hero}. "And I found this {thing} {spot3}." {act}""",
}

PLOTS = ["lost", "hide", "message", "trade", "map", "contest"]
FIRST_LESSONS = ["alone", "alone", "two", "gone", "hidden", "owners", "trip"]
