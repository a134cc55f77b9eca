"""Which candidates of The Crossing are plotlines, written by hand.

By the candidate's title: what it is, and its connections (relation, words of the earlier line, words of the later line, what the
summary says of it). A connection is given as soon as both its lines are there, so that every prefix of the story has its answer. The chapel
key is left out: that it lies in the river and comes out of a coat is no plotline but a slip of the author's.
"""

LINES = {
    'Ines means to show the deed': ('goal', 'low', [
        ('setback', 'noon on Saturday.: opened', 'The hollow was empty',
         'Ines promises Warden Holt the deed by noon on Saturday, but the hollow under the hearth stone is empty.'),
        ('setback', 'The hollow was empty', 'Saturday.: blocked (“The warden locked', 'The warden locks her in before she has found it.'),
        ('resolution', 'Saturday.: blocked (“The warden locked', "and it isn't noon",
         'It is shown before noon all the same, and the crossing belongs to the Corvos.'),
    ]),
    'Ines means to take the tin box out of the mill': ('plan', 'low', [
        ('progression', 'before Saturday.: opened', 'could reach it from the water',
         'After what Tobias has told her, Ines means to get the tin box out of the mill, and sees that a small boat could reach it.'),
        ('setback', 'could reach it from the water', 'The tin box was not in the chest',
         'She rows there and breaks the iron chest, but the tin box is not in it; what she finds is the bell.'),
    ]),
    'Tobias has promised Edda that the bell': ('promise', 'low', [
        ('progression', 'first ice.: opened', "The bell's in the mill",
         'Tobias promises Edda that she will hear the bell at the landing before the ice, and learns that it is in the mill.'),
        ('resolution', "The bell's in the mill", 'first ice.: resolved', 'He and the smith hang it at the landing, and Edda rings it.'),
    ]),
    'Tobias has sworn to Ines': ('promise', 'low', [
        ('resolution', 'Saturday.: opened', 'Saturday.: resolved',
         'Tobias swears to Ines to get the deed to the warden before noon, and gives the tin box to Warden Holt.'),
    ]),
    'Tobias means to tell Ines': ('plan', 'low', [
        ('resolution', 'he took the tin box.: blocked', 'he took the tin box.: resolved',
         'Urged by Edda, Tobias means to tell Ines that he took the tin box, but finds the landing empty; he confesses it to her '
         'at the toll house on Friday.'),
    ]),
    'Tobias owes Voss forty crowns': ('conflict', 'medium', [
        ('progression', 'forty crowns.: opened', 'forty crowns.: advanced',
         'Tobias owes Garrick Voss forty crowns. In the end he promises to work at the mill until the chest is paid for; of the '
         'forty crowns nothing is said.'),
    ]),
    'Voss means to have the tin box': ('plan', 'low', [
        ('setback', 'by Friday.: opened', 'by Friday.: blocked (“Tobias gave',
         'Voss demands the tin box from Tobias by Friday. Tobias hides it in the organ instead, and gives it to Warden Holt.'),
    ]),
    'Voss wants the crossing': ('goal', 'low', [
        ('reversal', 'Voss wants the crossing.: opened', 'Voss wants the crossing.: abandoned',
         'Voss asks for the crossing. When the warden has declared that it belongs to the Corvos, he does not want it any more.'),
    ]),
    "bell's location": ('mystery', 'low', [
        ('revelation', 'bell in mill loft', 'bell in landing (“hung',
         'The bell that Edda let down from the landing was put in the mill loft by Garrick Voss. Tobias and the smith bring it back '
         'to the landing, and Edda rings it.'),
    ]),
    "blue tin box's location": ('mystery', 'low', [
        ('progression', 'put the tin box under the hearth stone', 'He hid the tin box in the organ, behind',
         'Ines puts the tin box under the hearth stone. Tobias takes it from there and hides it in the organ.'),
    ]),
    "blue tin box's possession": ('conflict', 'low', [
        ('resolution', 'blue tin box held by Tobias (“put', 'held by Warden Holt',
         'Tobias takes the tin box for himself and leaves it in the organ, in nobody\'s hands. In the end he gives it to Warden Holt.'),
    ]),
}  # fmt: skip
