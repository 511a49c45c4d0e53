"""Short stories from a grammar of our own: the same seed gives the same stories on every machine."""

import random
import re

from . import plots, words

PRONOUNS = {"she": ("she", "her", "her"), "he": ("he", "his", "him")}

# A longer story is drawn again: with BOS and EOS each must fit into 512 tokens.
LONGEST = 980  # characters


def person(dice, role, used, human):
    """Name, kind and pronouns of someone whom the story does not know yet, as facts for `role`."""
    pronoun = dice.choice(["she", "he"])
    names = words.GIRLS if pronoun == "she" else words.BOYS
    name = dice.choice([name for name in names if name not in used])
    kind = {"she": "girl", "he": "boy"}[pronoun]
    if dice.random() > human:
        kind = dice.choice([kind for kind in words.ANIMALS if kind not in used])
    used |= {name, kind}
    he, his, him = PRONOUNS[pronoun]
    return {f"{role}": name, f"{role}_kind": kind, f"{role}_he": he, f"{role}_his": his, f"{role}_him": him,
            f"{role.upper()}_he": he.title()}


def places(dice):
    """Five places; `spotN` says where a thing can be, `nearN` where a house can stand."""
    facts = {}
    for n, (noun, looks, prepositions) in enumerate(dice.sample(words.PLACES, 5)):
        place = f"the {dice.choice(looks.split())} {noun}"
        facts[f"spot{n}"] = f"{dice.choice(prepositions.split())} {place}"
        facts[f"near{n}"] = f"{dice.choice(words.NEAR.split())} {place}"
    return facts


def facts_of_a_story(dice):
    """Everything that stays the same from the first to the last sentence of one story."""
    used = set()
    facts = person(dice, "hero", used, human=0.4)
    for short, long in (("kind", "hero_kind"), ("he", "hero_he"), ("his", "hero_his"), ("him", "hero_him")):
        facts[short] = facts[long]
    facts |= {"He": facts["he"].title(), "His": facts["his"].title()}
    for friend in "abc":
        facts |= person(dice, friend, used, human=0.2)
    facts |= places(dice)
    for slot, thing in zip(["thing", "thing2", "thing3", "thing4"], dice.sample(words.THINGS, 4)):
        facts[slot] = f"{dice.choice(words.COLOURS + words.LOOKS)} {thing}"
    for slot, choices in (("elder", words.ELDERS), ("food", words.FOODS), ("weather", words.WEATHERS),
                          ("feeling", words.FEELINGS)):
        facts[slot] = dice.choice(choices)
    return facts


INNERMOST_CHOICE = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(\w+)\}")


def expand(dice, template, facts):
    """Choose, then fill in, until the text has neither brackets nor slots."""
    def fill(slot):
        name = slot.group(1)
        return expand(dice, plots.RULES[name], facts) if name in plots.RULES else facts[name]

    while INNERMOST_CHOICE.search(template):
        template = INNERMOST_CHOICE.sub(lambda choice: dice.choice(choice.group(1).split("|")), template)
    return SLOT.sub(fill, template)


def tidy(text):
    """One line, single spaces, none inside quotation marks; a sentence begins with a capital."""
    text = " ".join(text.split())
    text = re.sub(r" ([.,!?])", r"\1", text)
    text = re.sub(r'"\s*([^"]*?)\s*"', r'"\1"', text)
    return re.sub(r'([.!?] "?|\." )([a-z])', lambda match: match.group(1) + match.group(2).upper(), text)


def story(seed, among=plots.PLOTS):
    """The story with this number."""
    dice = random.Random(seed)
    while True:
        plot = plots.RULES[dice.choice(among)]
        text = tidy(expand(dice, plot, facts_of_a_story(dice)))
        if len(text) <= LONGEST:
            return text


def stories(first, count):
    return [story(number) for number in range(first, first + count)]
