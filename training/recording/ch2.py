ents = [
 ('ines','character','Ines Corvo','Ines took the Heron across'),
 ('pim','character','Pim','with Pim at the bow'),
 ('heron','object','Heron','Ines took the Heron across'),
 ('edda','character','Edda Corvo','Edda drank the broth'),
 ('tobias','character','Tobias','Tobias stood in the door of the boathouse'),
 ('boathouse','place','boathouse','the door of the boathouse'),
 ('stone','object','hearth stone','she did not look at the hearth stone'),
 ('box','object','blue tin box','You bring me the blue tin box by Friday'),
 ('voss','character','Garrick Voss','Voss had been plain about it'),
 ('mill','place','mill','the left way goes to the mill'),
 ('chapel','place','chapel','The chapel of Halm is very small'),
 ('organ','object','organ','There was an organ there'),
 ('key','object','chapel key','The chapel key fell into the river'),
 ('river','place','river','The river came up brown and quick'),
 ('landing','place','landing','She went out on the landing'),
 ('chest','object','iron chest','He has an iron chest there'),
]
namings = [('box','the tin box'),('key','a long black iron key'),('edda','their grandmother')]
events = [
 ('cross','cross','Ines took the Heron across with Pim at the bow',dict(agent='ines',patient='heron',companion='pim')),
 ('doze','sleep','fell asleep in her chair',dict(experiencer='edda')),
 ('take','take','He took the tin box from under the hearth stone',dict(agent='tobias',patient='box',origin='stone',place='boathouse')),
 ('bargain','demand','You bring me the blue tin box by Friday and we are quits',dict(speech=1,agent='voss',recipient='tobias')),
 ('stash','hide','He hid the tin box in the organ',dict(agent='tobias',patient='box',destination='organ',place='chapel')),
 ('lock','lock','He locked the door behind him',dict(agent='tobias',patient='chapel',instrument='key')),
 ('drop','fall','The chapel key fell into the river',dict(patient='key',destination='river')),
 ('home','come','Ines came home after dark',dict(agent='ines',destination='boathouse')),
 ('lift','lift','She had the stone up before she knew that she had moved',dict(agent='ines',patient='stone')),
 ('ask','ask','"Who came? Tobias. Who came in?"',dict(speech=1,agent='ines',recipient='tobias')),
 ('lie','lie','And he lied.',dict(speech=1,agent='tobias',recipient='ines',place='boathouse')),
 ('agree','promise','"No," said Tobias. "I won\'t tell her."',dict(speech=1,agent='tobias',recipient='ines')),
 ('look','look','She looked at it for a long time',dict(agent='ines',place='landing')),
 ('fetch','take','She would go into the mill and take it out of his iron chest with her own hands',dict(realis='future',agent='ines',patient='box',origin='chest')),
]
causes = []
orders = [('bargain','before','cross','Voss had been plain about it')]
times = [('On Tuesday',None,False)]
props = [
 ('under','box','location','@stone','asserted','took the tin box from under the hearth stone',dict(req=['take'])),
 ('shirt','box','possession','@tobias','asserted','put it inside his shirt',dict(by='take')),
 ('notunder','box','location','@stone','asserted','The hollow was empty',dict(neg=1,by='take')),
 ('tooktob','tobias','took','@box','asserted','He took the tin box from under the hearth stone',dict(by='take')),
 ('inorgan','box','location','@organ','asserted','He hid the tin box in the organ, behind the dead pipes',dict(by='stash')),
 ('locked','chapel','open','locked','asserted','He locked the door behind him',dict(by='lock')),
 ('keyriver','key','location','@river','asserted','The chapel key fell into the river',dict(by='drop')),
 ('vosstook','voss','took','@box','unstated','Voss took the tin box.'),
 ('atmill','box','location','@mill','unstated','He has it at the mill.'),
 ('vossnot','voss','took','@box','false','It was a lie from end to end'),
 ('vossgets','box','possession','@voss','unstated','You bring me the blue tin box by Friday'),
 ('nobody','box','possession','@tobias','asserted','a thing in a chapel is in nobody\'s hands',dict(neg=1,by='stash')),
 ('inchest','box','location','@chest','unstated','take it out of his iron chest'),
]
# the wish for the future possession keeps its own number; nothing is said twice
speeches = [
 ('bargain','voss','tobias','vossgets','asks','You bring me the blue tin box by Friday and we are quits'),
 ('ask','ines','tobias','','asks','"Who came? Tobias. Who came in?"'),
 ('lie','tobias','ines','vosstook atmill','lies','Voss took the tin box. He has it at the mill.'),
 ('agree','tobias','ines','','promises','"No," said Tobias. "I won\'t tell her."'),
]
accesses = [
 ('ines','discovery','The hollow was empty',dict(prop='notunder',gained_in='lift')),
 ('tobias','observation','He saw it turn over once',dict(event='drop',prop='keyriver')),
]
attitudes = [
 ('ines','vosstook','believes','Ines believed him.',dict(since='lie',speaker='tobias')),
 ('ines','atmill','believes','She never thought of doubting it',dict(since='lie',speaker='tobias')),
 ('tobias','vosstook','disbelieves','he knew it, and he watched it go into her',dict(since='lie')),
]
unaware = []
presences = [
 ('ines','leaves','when she left',dict(place='boathouse',at='cross')),
 ('edda','asleep','His grandmother was asleep.',dict(place='boathouse',at='doze')),
 ('tobias','present','Tobias stood in the door of the boathouse',dict(place='boathouse')),
 ('ines','enters','Ines came home after dark',dict(place='boathouse',at='home')),
 ('ines','leaves','She went out on the landing',dict(place='boathouse',at='look')),
]
props2 = [
 ('inesgoal','ines','goal','get the tin box back','asserted','She was going to get the tin box back'),
 ('ineshas','box','possession','@ines','unstated','She was going to get the tin box back'),
]
devs = [
 ('d6','plan','Ines means to take the tin box out of the mill before Saturday.','ines','ineshas','look','She was going to get the tin box back'),
 ('d7','plan','Voss means to have the tin box from Tobias by Friday.','voss tobias','vossgets','bargain','You bring me the blue tin box by Friday and we are quits'),
]
steps = [
 ('Ines means to show the deed','blocked','lift','The hollow was empty'),
 ('d7','blocked','stash','He had not given it to Voss.'),
]
poss = [
 ('Ines means to show the deed','If Tobias takes the tin box out of the organ again, Ines can have it before Saturday.','inorgan','',[('bring',dict(agent='tobias',patient='box',recipient='ines'))],'high','He did not know yet which of the two he would do'),
 ('d7','If Tobias takes the tin box to the mill after all, Voss has it.','inorgan','',[('give',dict(agent='tobias',patient='box',recipient='voss'))],'high','Or else he would take it to the mill after all and be free'),
]
real = []
sums = [
 (1,'cross take stash drop','While Ines is on the river and Edda sleeps, Tobias takes the tin box from under the hearth stone. He does not give it to Voss but hides it in the organ, and the chapel key falls into the river.','He hid the tin box in the organ'),
 (2,'home lift lie look','Ines finds the hollow empty. Tobias lies that Voss took the tin box, and Ines believes him; she means to get it out of the mill before Saturday.','Ines believed him.'),
]
