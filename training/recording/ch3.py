ents = [
 ('ines','character','Ines Corvo','Ines had no time to think'),
 ('voss','character','Garrick Voss','"Then there is the bell," said Garrick Voss'),
 ('mill','place','mill','and watched the mill'),
 ('tobias','character','Tobias','In the boathouse Tobias sat'),
 ('edda','character','Edda Corvo','Edda Corvo was sixty then, and strong'),
 ('boathouse','place','boathouse','In the boathouse Tobias sat'),
 ('stone','object','hearth stone','I heard you lift the hearth stone'),
 ('box','object','blue tin box','Where is the box?'),
 ('bell','object','bell','It was a bronze bell, as high as a child of three'),
 ('millloft','place','mill loft','He put the bell in the mill loft'),
 ('heron','object','Heron','she bought the Heron'),
 ('widgeon','object','Widgeon','There had been an older boat, the Widgeon'),
 ('landing','place','landing','she went down to the landing with a lantern and a saw'),
 ('river','place','river','it lay at the bottom of the river'),
 ('village','group','whole village','the whole village came to look at the empty post'),
 ('chapel','place','chapel','The chapel is locked'),
 ('organ','object','organ','In the organ.'),
 ('key','object','chapel key','I let the key fall in the river'),
 ('skiff','object','skiff','the skiff was gone from its ring'),
]
namings = [('box','the box'),('edda','his grandmother'),('ines','Little Ines'),('key','the key')]
events = [
 ('watch','watch','mended a fender, and watched the mill',dict(agent='ines',place='landing')),
 ('confront','tell','I heard you lift the hearth stone',dict(speech=1,agent='edda',recipient='tobias',place='boathouse')),
 ('keepstill','tell',"I've told her nothing",dict(realis='negated',agent='edda',recipient='ines')),
 ('flood','take','the flood had taken her',dict(patient='widgeon')),
 ('cut','lower','She cut the ropes and let the bell down into a sledge',dict(agent='edda',patient='bell',origin='landing')),
 ('sell','sell','Edda sold the bell to Voss for ninety crowns',dict(agent='edda',patient='bell',recipient='voss',place='mill')),
 ('silence','promise','He told her that he would never speak of it',dict(speech=1,agent='voss',recipient='edda')),
 ('store','put','He put the bell in the mill loft',dict(agent='voss',patient='bell',destination='millloft')),
 ('decide','decide','They decided that the flood had loosened it',dict(agent='village')),
 ('drown','tell','said that it was so',dict(speech=1,agent='edda',recipient='ines')),
 ('buy','buy','With the ninety crowns and the eleven she bought the Heron',dict(agent='edda',patient='heron')),
 ('tellbell','tell',"\"It's in the mill,\" he said. \"All this time.",dict(speech=1,agent='tobias',recipient='edda')),
 ('confess','confess','It was out before he had thought about it',dict(speech=1,agent='tobias',recipient='edda',place='boathouse')),
 ('urge','urge','"Then go and tell her without it," said Edda',dict(speech=1,agent='edda',recipient='tobias')),
 ('tellines','tell','Tell her tonight.',dict(realis='future',agent='tobias',recipient='ines')),
 ('seek','go','he went out to find his sister',dict(agent='tobias')),
]
causes = []
times = [('On Thursday',1,False),('Eleven years before',2,True)]
props = [
 ('heard','tobias','took','@box','unstated','There was one man in this room, and he was in his socks'),
 ('vosstook','voss','took','@box','unstated','I heard you tell your sister that it was Voss'),
 ('atlanding','bell','location','@landing','asserted','let the bell down into a sledge',dict(neg=1,by='cut')),
 ('sold','bell','possession','@voss','asserted','Edda sold the bell to Voss for ninety crowns',dict(by='sell')),
 ('inloft','bell','location','@millloft','asserted','He put the bell in the mill loft',dict(by='store')),
 ('inriver','bell','location','@river','unstated','it lay at the bottom of the river'),
 ('inriverno','bell','location','@river','false','There it stood.',dict(by='store')),
 ('bellloft','bell','location','@millloft','unstated','In the loft, unless he has sold it on'),
 ('inorgan','box','location','@organ','unstated','In the organ.'),
 ('keyriver','key','location','@river','unstated','I let the key fall in the river'),
]
speeches = [
 ('confront','edda','tobias','heard vosstook','asserts','I heard you lift the hearth stone'),
 ('silence','voss','edda','','promises','He told her that he would never speak of it'),
 ('drown','edda','ines','inriver','lies','Edda held her by the hand and said that it was so'),
 ('tellbell','tobias','edda','inloft','asserts',"\"It's in the mill,\" he said."),
 ('confess','tobias','edda','inorgan keyriver','asserts','"In the chapel. In the organ."'),
 ('urge','edda','tobias','','asks','"Then go and tell her without it," said Edda'),
]
speeches[0] = ('confront','edda','tobias','heard','asserts','I heard you lift the hearth stone')
speeches[3] = ('tellbell','tobias','edda','','asserts',"\"It's in the mill,\" he said.")
accesses = [
 ('edda','inference','he breathed through his nose the way you\'ve done since you were four',dict(prop='heard',gained_in='confront')),
 ('tobias','communication',"I'll tell you where the bell went",dict(prop='inloft',speaker='edda',gained_in='tellbell')),
]
attitudes = [
 ('village','inriver','believes','They decided that the flood had loosened it, and that it lay at the bottom of the river',dict(since='decide')),
 ('ines','inriver','believes','cried because the bell was drowned',dict(since='drown',speaker='edda')),
 ('tobias','inloft','believes','All this time. The bell\'s in the mill.',dict(since='tellbell',mode='communication',speaker='edda')),
 ('edda','inorgan','believes','Then I\'ve heard what I was listening for',dict(since='confess',speaker='tobias')),
]
unaware = []
presences = [
 ('tobias','present','In the boathouse Tobias sat with his grandmother',dict(place='boathouse')),
 ('edda','awake',"I wasn't asleep on Tuesday",dict(place='boathouse')),
 ('tobias','leaves','he went out to find his sister',dict(place='boathouse',at='seek')),
]
props2 = [
 ('inesknows','ines','knows',('heard',),'unstated','Now go and get it, and tell your sister'),
]
devs = [
 ('d8','plan','Tobias means to tell Ines that he took the tin box.','tobias ines','inesknows','urge','"Tonight," said Tobias. He meant it.'),
]
steps = [
 ('Tobias has promised Edda','advanced','tellbell',"All this time. The bell's in the mill."),
 ('Ines means to take the tin box','advanced','watch','A person in a small boat could reach it from the water'),
 ('d8','blocked','seek','But the landing was empty, and the skiff was gone from its ring'),
]
poss = [
 ('d8','If Tobias finds Ines, he tells her that the tin box is in the organ.','inorgan','',[('tell',dict(agent='tobias',recipient='ines'))],'medium','the skiff was gone from its ring'),
 ('Tobias has promised Edda','If Tobias can get the bell out of the mill loft, it can hang at the landing again.','inloft','',[('hang',dict(agent='tobias',patient='bell',destination='landing'))],'high','In the loft, unless he has sold it on'),
]
real = []
sums = [
 (1,'watch confront','Ines watches the mill from the landing. Edda tells Tobias that she heard him lift the hearth stone and that she has told Ines nothing.','I heard you lift the hearth stone'),
 (2,'cut sell store drown buy','In the winter of the flood Edda cuts the bell down and sells it to Garrick Voss for ninety crowns. He puts it in the mill loft; the village takes it for drowned, and Edda buys the Heron.','Edda sold the bell to Voss for ninety crowns'),
 (3,'confess urge seek','Tobias tells Edda that the tin box is in the organ, and she sends him to tell Ines. He goes out, but the skiff is gone.','he went out to find his sister'),
]
