"""A small encoder of English, offline: whether a sentence answers a question, and who is away while others talk.

What it says is a likelihood, never a fact: those who ask it decide, with thresholds of their own, and mark what rests on it.
"""
