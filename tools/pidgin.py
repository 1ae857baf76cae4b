"""English made to look like Nigerian Pidgin, which shares most of its vocabulary.

The two are told apart by function words and by spelling. A model that meets the content words
as often in the one as in the other learns just these.
"""

import random

# English words, and what stands in their place: one of these.
WORDS = {
    "the": "di", "a": "one|one|a", "an": "one", "that": "dat|wey|say", "this": "dis",
    "these": "dis", "those": "dose", "they": "dem", "them": "dem", "their": "dia|dem",
    "who": "wey", "whom": "wey", "which": "wey", "is": "dey|na|be", "are": "dey|na",
    "was": "bin|na|bin dey", "were": "bin dey|bin", "be": "be|dey", "been": "don dey|don",
    "being": "dey", "has": "don|get", "have": "don|get", "had": "don|bin get", "having": "get",
    "because": "becos|sake of", "people": "pipo", "person": "pesin", "man": "man|oga",
    "what": "wetin", "thing": "tin", "things": "tins", "with": "wit|wit", "in": "for|inside",
    "at": "for", "on": "for|on top", "to": "to|for", "into": "enter|inside", "of": "of|for",
    "will": "go", "would": "go|for", "shall": "go", "he": "e|im", "she": "e|she", "it": "e|am",
    "his": "im", "her": "her|im", "its": "im", "him": "am|im", "not": "no", "don't": "no",
    "didn't": "no", "doesn't": "no", "isn't": "no be", "said": "tok|say|tok say", "say": "tok say",
    "says": "tok say|say", "told": "tell", "saying": "say", "can": "fit", "could": "fit",
    "may": "fit", "might": "fit", "where": "wia", "there": "dia|dere", "here": "here",
    "know": "sabi", "knows": "sabi", "you": "una|you", "your": "una|your", "child": "pikin",
    "children": "pikin dem", "want": "wan", "wants": "wan", "very": "well well|very",
    "country": "kontri", "something": "sometin", "everything": "evritin", "nothing": "notin",
    "anything": "anytin", "other": "oda", "others": "odas", "another": "anoda", "when": "wen|wey",
    "then": "den", "started": "don start", "story": "tori", "news": "tori", "matter": "mata",
    "water": "wata", "father": "papa", "mother": "mama", "brother": "broda", "sister": "sista",
    "after": "afta", "before": "before|bifor", "over": "ova", "under": "under|onda",
    "never": "neva|no", "better": "beta", "ever": "eva", "every": "evri", "everyone": "evribodi",
    "everybody": "evribodi", "government": "goment", "our": "awa|our", "get": "get", "eat": "chop",
    "left": "comot", "go": "go", "went": "go", "came": "come", "make": "make", "let": "make",
    "just": "just|don", "do": "do", "does": "dey", "did": "don|bin", "many": "plenti|many",
    "much": "plenti", "more": "more|pass", "body": "bodi", "also": "also|still", "so": "so|so so",
    "still": "still dey", "happened": "hapun", "happen": "hapun", "first": "first", "from": "from",
    "how": "how", "why": "why", "like": "like", "than": "pass", "those who": "pipo wey",
    "trouble": "wahala", "leader": "oga", "boss": "oga", "stole": "tiff", "thief": "tiff",
    "called": "dem dey call", "even": "even", "both": "both", "against": "against",
    "although": "even though", "while": "as", "until": "till", "about": "about|on top",
    "through": "thru", "three": "three", "thousand": "thousand", "thank": "tank", "think": "tink",
    "anyone": "anybodi", "someone": "somebodi", "during": "during", "without": "witout",
    "believe": "bilivi", "big": "big|ogbonge", "time": "time", "kind": "kain", "such": "dis kain",
    "all": "all", "only": "only", "no": "no", "if": "if", "or": "abi|or", "small": "small",
    "and": "and|and|plus", "by": "by", "me": "me|mi", "my": "my|mi", "i": "I|me", "we": "we|awa",
    "police": "polis|police", "president": "presido|president|oga president", "school": "skul",
    "money": "moni|money", "family": "famili", "happening": "dey hapun", "talk": "tok",
    "talking": "dey tok", "speak": "tok", "spoke": "tok", "ask": "ask|dey ask", "life": "life",
    "video": "vidio", "together": "togeda", "weather": "weda", "either": "eida", "rather": "rada",
    "whether": "weda|if", "enough": "enuf", "fuel": "fuel", "car": "moto",
    "walk": "waka", "walked": "waka", "party": "pati", "fight": "fight|dey fight", "died": "die",
    "killed": "kill|kpai", "dead": "die|don die", "help": "help|epp", "please": "abeg",
    "power": "pawa", "hear": "hia", "year": "year", "old": "old", "again": "again|back", "up": "up",
    "reporter": "tori pesin", "politician": "politician|oga", "problem": "wahala|problem",
    "take": "take|carry", "took": "carry|take", "give": "give", "gave": "give", "find": "find",
    "found": "find|don find", "tell": "tell", "use": "use|dey use", "used": "use|bin dey use",
    "come": "come|land", "arrived": "land|don land", "happens": "dey hapun", "always": "always dey",
    "now": "now|now now", "today": "today", "yesterday": "yestaday", "nobody": "nobodi",
    "somebody": "somebodi", "anybody": "anybodi", "sometimes": "sometimes|som taim", "some": "some|som",
    "same": "same", "one": "one|wan", "once": "once|wons", "good": "good|beta", "bad": "bad",
}  # fmt: skip
# What is heard at the end of a word and written so: a chance of one in two.
ENDINGS = (("tter", "tta"), ("nister", "nista"), ("mber", "mba"), ("ther", "da"), ("ader", "ada"))


# Between which shares of the words are changed: writers mix, so a few words have to tell.
SHARES = (0.65, 1.0)


def pidgin(text: str, chance: random.Random) -> str:
    """Return an English text with some function words and spellings of Nigerian Pidgin."""
    share, words = chance.uniform(*SHARES), text.lower().split()
    return " ".join(_word(word, chance) if chance.random() < share else word for word in words)


def _word(word: str, chance: random.Random) -> str:
    bare = word.strip(".,;:!?\"'()")
    if bare not in WORDS:
        return _spelt(word, chance)
    return word.replace(bare, chance.choice(WORDS[bare].split("|")))


def _spelt(word: str, chance: random.Random) -> str:
    for ending, heard in ENDINGS:
        if word.endswith(ending) and chance.random() < 0.5:
            return word.removesuffix(ending) + heard
    return word
