ents = [
 ('ines','character','Ines Corvo','Ines Corvo steered by sound'),
 ('pim','character','Pim','called Pim. "Nothing. Nothing. A branch."'),
 ('heron','object','Heron','The Heron was a flat ferry'),
 ('holt','character','Warden Holt','I am Warden Holt'),
 ('voss','character','Garrick Voss','Garrick Voss stood in the door of the mill'),
 ('crossing','place','crossing','who owns this crossing'),
 ('deed','object','deed','There is a deed'),
 ('toll','place','toll house','Bring the deed to the toll house'),
 ('mill','place','mill','The mill stood a hundred yards upstream'),
 ('landing','place','landing','When the landing came out of the fog'),
 ('boathouse','place','boathouse','The boathouse was one room'),
 ('tobias','character','Tobias','her brother Tobias'),
 ('edda','character','Edda Corvo','Edda Corvo had run the ferry for forty years'),
 ('box','object','blue tin box','It was a blue tin box that had once held tea'),
 ('stone','object','hearth stone','put the tin box under the hearth stone'),
 ('bell','object','bell','The bell had been gone for eleven years'),
 ('loft','place','loft','one room with a loft above it'),
]
namings = [('box','the tin box'),('edda','their grandmother'),('tobias','her brother'),('holt','The warden')]
events = [
 ('demand','tell','Bring the deed to the toll house by noon on Saturday',dict(speech=1,agent='holt',recipient='ines',place='landing')),
 ('assure','promise','"Saturday," said Ines. "You will have it."',dict(speech=1,agent='ines',recipient='holt')),
 ('teach','teach','I will teach you to steer the Heron',dict(realis='future',agent='ines',patient='pim')),
 ('vowpim','promise','I promise you that.',dict(speech=1,agent='ines',recipient='pim')),
 ('shake','shake','they shook on it',dict(agent='ines pim')),
 ('read','read','Ines read it aloud, slowly, all of it',dict(agent='ines',patient='deed',recipient='edda',place='boathouse')),
 ('hide','hide','She put the tin box under the hearth stone',dict(agent='ines',patient='box',destination='stone',place='boathouse')),
 ('spy','see','he saw her hide the tin box',dict(experiencer='tobias',place='loft')),
 ('long','wish','I would like to hear it before the ice',dict(speech=1,agent='edda',recipient='tobias')),
 ('vowbell','promise','"You\'ll hear it," said Tobias. "I promise you, Grandmother.',dict(speech=1,agent='tobias',recipient='edda')),
 ('hang','hang','The bell will hang at the landing again before the first ice',dict(realis='future',patient='bell',destination='landing')),
 ('offer','tell','Voss had told him that very evening in the tavern how it might be paid',dict(speech=1,agent='voss',recipient='tobias')),
]
causes = []
times = [('On Monday morning',None,False),('That night','offer',False)]
times = [('On Monday morning',None,False)]
props = [
 ('eyes','voss','eyes','grey','asserted','his grey eyes missed nothing on the water'),
 ('age','pim','age','eleven','asserted','He was eleven years old'),
 ('sleep','edda','location','@boathouse','asserted','since the summer she had not been out of the room'),
 ('deedin','deed','location','@box','asserted','The deed was inside, folded in four'),
 ('owns','crossing','possession','@edda','unstated','belonged to Edda Corvo and to her heirs'),
 ('under','box','location','@stone','asserted','put the tin box under the hearth stone',dict(by='hide')),
 ('holthas','deed','possession','@holt','unstated','If I have it in my hand, the crossing is yours'),
 ('steer','pim','ability','steer the Heron','unstated','I will teach you to steer the Heron'),
 ('bellback','bell','location','@landing','unstated','The bell will hang at the landing again before the first ice'),
 ('debt','tobias','obligation','forty crowns','asserted','It was forty crowns, and he owed it to Garrick Voss'),
 ('gone','bell','location','@landing','asserted','The bell had been gone for eleven years',dict(neg=1)),
]
speeches = [
 ('demand','holt','ines','holthas','asks','Bring the deed to the toll house by noon on Saturday'),
 ('assure','ines','holt','holthas','promises','"Saturday," said Ines. "You will have it."'),
 ('vowpim','ines','pim','steer','promises','I promise you that.'),
 ('vowbell','tobias','edda','bellback','promises','I promise you, Grandmother. The bell will hang at the landing again before the first ice.'),
]
accesses = [
 ('pim','observation','Pim had heard all of it',dict(event='demand')),
 ('tobias','observation','he saw her hide the tin box',dict(event='hide',prop='under',gained_in='spy')),
 ('ines','reading','Ines read it aloud, slowly, all of it',dict(prop='owns',gained_in='read')),
]
attitudes = []
unaware = [('ines',"She did not look up. If she had, she would have seen her brother's face.",dict(event='spy'))]
presences = [
 ('edda','present','since the summer she had not been out of the room',dict(place='boathouse')),
]
props2 = [
 ('vosswants','voss','goal','the crossing','unstated','the only other man who has asked for it'),
 ('trust','edda','emotion','distrust','unstated',"I don't trust five days"),
]
props2 = props2[:1]
devs = [
 ('d1','goal','Ines means to show the deed at the toll house by noon on Saturday.','ines','holthas','assure','"Saturday," said Ines. "You will have it."'),
 ('d2','goal','Voss wants the crossing.','voss','vosswants','demand','the only other man who has asked for it'),
 ('d3','promise','Ines has promised Pim to teach him to steer the Heron before the fair.','ines pim','steer','vowpim','Before the fair I will teach you to steer the Heron'),
 ('d4','promise','Tobias has promised Edda that the bell will hang at the landing before the first ice.','tobias edda','bellback','vowbell','The bell will hang at the landing again before the first ice'),
 ('d5','conflict','Tobias owes Voss forty crowns.','tobias voss','debt',None,'It was forty crowns, and he owed it to Garrick Voss'),
]
devs[4] = (*devs[4][:4], None, *devs[4][5:])
steps = []
poss = [
 ('d1','If Ines takes the tin box from under the hearth stone to the toll house, the crossing is hers.','under deedin','',[('give',dict(agent='ines',patient='box',recipient='holt'))],'medium','There are five days until Saturday'),
]
real = []
sums = [
 (1,'demand assure vowpim','Warden Holt tells Ines to bring the deed by noon on Saturday, or Garrick Voss may get the crossing. She promises Pim that she will teach him to steer the Heron before the fair.','they shook on it'),
 (2,'read hide spy vowbell','Ines hides the blue tin box with the deed under the hearth stone, and Tobias sees it from the loft. He promises Edda that the bell will hang at the landing before the first ice; he owes Garrick Voss forty crowns.','he saw her hide the tin box'),
]
