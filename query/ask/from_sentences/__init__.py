"""Answers read off sentences on which records rest: deeds, wordings, belongings, qualities, yes and no. Asks rules nothing."""
