"""The words of the stories: who can appear, what they own and eat, and where things can be.

The lists are short, so that 512 tokens hold most words whole; every name has its own first letter.
"""

GIRLS = "Ann Eva Fay Ida Kim Liz Mia Pam Una Zoe".split()
BOYS = "Ben Dan Gus Hal Jim Ned Roy Sam Tom Will".split()
ANIMALS = "fox mouse rabbit bear owl duck cat frog goat hen".split()

ELDERS = ["Grandmother", "Grandfather", "Mother", "Father", "the baker", "the miller"]

COLOURS = "red blue green yellow white black golden silver".split()
LOOKS = "little round shiny pretty".split()
THINGS = "kite lamp bell drum ball key boat hat book cup spoon coin doll".split()

FOODS = ["warm bread", "plum cake", "apple pie", "carrot soup", "honey cake", "berry pie"]

# A place: its noun, what it can look like, and where a thing can be.
NEAR = "behind beside near"
PLACES = [
    ("mill", "old white tall", "behind beside inside"),
    ("bridge", "stone wooden old", "under beside near"),
    ("oak", "tall old big", "under behind beside"),
    ("gate", "garden white old", "behind near beside"),
    ("barn", "red dark old", "inside behind near"),
    ("well", "stone deep old", "behind beside near"),
    ("rock", "round grey big", "under behind beside"),
    ("wall", "garden stone low", "behind beside near"),
    ("log", "old long dark", "inside under behind"),
    ("fence", "wooden white low", "behind beside under"),
    ("tower", "tall grey stone", "inside behind near"),
    ("shed", "little wooden green", "inside behind near"),
    ("pond", "cold round deep", "beside near behind"),
    ("tree", "apple plum big", "under behind near"),
]

WEATHERS = "sunny windy cold warm".split()
FEELINGS = "kind brave clever shy".split()
