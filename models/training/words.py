"""The words of the stories: who can appear, what they own and eat, and where things can be."""

GIRLS = "Mila Nora Lily Ruby Ida Wanda Greta Clara Rosa Emma Bella Lotte Dora Anna Zoe Iris Molly Hazel Poppy Sally".split()
BOYS = "Tom Ben Otto Finn Leo Hugo Max Sam Felix Oscar Pip Theo Jack Gus Noah Bruno Paul Ned Toby Simon".split()
ANIMALS = "fox mouse rabbit bear hedgehog owl duck cat frog badger goat hen turtle mole".split()

ELDERS = ["Grandmother", "Grandfather", "Mother", "Father", "Aunt Hilda", "Uncle Bert", "the baker", "the miller"]

COLOURS = "red blue green yellow white black golden silver".split()
LOOKS = "little round shiny wooden soft pretty".split()
THINGS = "kite lantern bell drum ball button key whistle boat scarf hat book cup shell spoon coin doll feather mirror".split()

FOODS = ["warm bread", "plum cake", "apple pie", "carrot soup", "honey cake", "berry pie", "nut bread", "pumpkin soup"]
POTS = ["big pot", "black pot", "little pot", "big pan", "black pan", "wooden bowl", "big bowl"]
ITEMS = ["salt", "milk", "flour", "butter", "eggs", "sugar", "water", "cream", "nuts", "honey"]
SEEDS = ["pumpkin", "melon", "bean", "carrot", "sunflower", "rose", "cabbage"]

# A place: its noun, what it can look like, and where a thing can be.
NEAR = "behind beside near"
PLACES = [
    ("mill", "old white quiet tall", "behind beside inside"),
    ("bridge", "stone wooden narrow long", "under beside near"),
    ("oak", "tall hollow old crooked", "under behind beside"),
    ("gate", "garden white iron broken", "behind near beside"),
    ("barn", "red dark old big", "inside behind near"),
    ("well", "stone deep mossy old", "behind beside near"),
    ("rock", "mossy round flat grey", "under behind beside"),
    ("wall", "garden crooked stone low", "behind beside near"),
    ("log", "hollow mossy long old", "inside under behind"),
    ("bush", "berry rose green thick", "under behind inside"),
    ("fence", "broken wooden white low", "behind beside under"),
    ("tower", "tall crooked lonely grey", "inside behind near"),
    ("shed", "old little wooden green", "inside behind near"),
    ("pond", "quiet cold duck round", "beside near behind"),
    ("cart", "hay broken old yellow", "under behind inside"),
    ("tree", "apple plum pear big", "under behind near"),
]

WEATHERS = "sunny windy cold warm foggy bright".split()
FEELINGS = "kind brave curious clever shy gentle".split()
