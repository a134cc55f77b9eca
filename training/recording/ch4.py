ents = [
 ('ines','character','Ines Corvo','Ines rowed the skiff upstream'),
 ('skiff','object','skiff','Ines rowed the skiff upstream'),
 ('mill','place','mill','and she was in the mill'),
 ('chest','object','iron chest','The iron chest stood under the window'),
 ('box','object','blue tin box','of a blue tin box inside it'),
 ('millloft','place','mill loft','she climbed the ladder to the loft'),
 ('bell','object','bell','She had found the bell'),
 ('river','place','river','The bell was not in the river'),
 ('voss','character','Garrick Voss','That was how Voss found her'),
 ('holt','character','Warden Holt','Warden Holt, who lodged with him that week'),
 ('toll','place','toll house','They put her in the toll house'),
 ('deed','object','deed','"The deed. He stole it on Tuesday.'),
 ('tobias','character','Tobias','Ines understood that Tobias had lied to her'),
 ('chapel','place','chapel','I hid it in the chapel'),
 ('organ','object','organ','in the organ. It\'s there now'),
 ('key','object','chapel key','when he came to the chapel key he did not laugh'),
 ('crossing','place','crossing','he gives away the crossing'),
 ('pim','character','Pim','Pim was sitting on the milestone'),
]
namings = [('voss','Garrick Voss'),('holt','The warden'),('ines','Miss Corvo')]
events = [
 ('row','row','Ines rowed the skiff upstream along the bank',dict(agent='ines',patient='skiff')),
 ('breakin','enter','She pulled herself up over the sill',dict(agent='ines',destination='mill')),
 ('force','break','When the lock gave way',dict(agent='ines',patient='chest')),
 ('search','search','She lifted everything out, piece by piece, down to the bare iron',dict(agent='ines',patient='chest')),
 ('find','find','She had found the bell',dict(agent='ines',patient='bell',place='millloft')),
 ('caught','catch','That was how Voss found her',dict(agent='voss',patient='ines',companion='holt',place='millloft')),
 ('accuse','accuse','"Where is it?" said Ines. "Where\'s my tin box? You took it from under my hearth."',dict(speech=1,agent='ines',recipient='voss')),
 ('jail','lock','The warden locked the door of it himself',dict(agent='holt',patient='ines',place='toll')),
 ('alibi','tell',"He didn't go into your house on Tuesday, Miss Corvo.",dict(speech=1,agent='holt',recipient='ines',place='toll')),
 ('realise','understand','Ines understood that Tobias had lied to her',dict(experiencer='ines',place='toll')),
 ('arrive','come','Tobias came to the toll house at first light on Friday',dict(agent='tobias',destination='toll')),
 ('confess','confess','"Voss never had it. I took it. I took the tin box myself',dict(speech=1,agent='tobias',recipient='ines',place='toll')),
 ('swear','swear','I swear it to you.',dict(speech=1,agent='tobias',recipient='ines')),
 ('overhear','listen','He had heard about the tin box, and about the organ',dict(experiencer='pim')),
 ('offer','tell','"I can get into the chapel," said Pim',dict(speech=1,agent='pim',recipient='tobias ines')),
]
causes = []
times = [('On Thursday night',None,False),('on Friday',3,False)]
props = [
 ('inmill','ines','location','@mill','asserted','and she was in the mill',dict(by='breakin')),
 ('notchest','box','location','@chest','asserted','The tin box was not in the chest',dict(neg=1)),
 ('atmill','box','location','@mill','unstated','she had been told so by her brother'),
 ('bellloft','bell','location','@millloft','asserted','she climbed the ladder to the loft',dict(req=['find'])),
 ('inriver','bell','location','@river','false','The bell was not in the river'),
 ('vosstook','voss','took','@box','unstated','You took it from under my hearth'),
 ('shut','toll','open','locked','asserted','The warden locked the door of it himself',dict(by='jail')),
 ('notmill','ines','location','@mill','asserted','They put her in the toll house',dict(neg=1,by='jail')),
 ('vossnot','voss','took','@box','unstated',"He didn't go into your house on Tuesday",dict(neg=1)),
 ('tooktob','tobias','took','@box','unstated','I took the tin box myself'),
 ('inorgan','box','location','@organ','unstated','I hid it in the chapel, in the organ'),
 ('holthas','deed','possession','@holt','unstated',"I'll get the deed to the warden before noon"),
 ('canget','pim','ability','get into the chapel','unstated','I can get into the chapel'),
 ('keyriver','key','location','@river','unstated',"the key's in the river"),
]
props[3] = ('bellloft','bell','location','@millloft','asserted','At the end there was something as high as her waist, covered with sacking',dict(req=['find']))
speeches = [
 ('accuse','ines','voss','vosstook','asserts','You took it from under my hearth.'),
 ('alibi','holt','ines','vossnot','asserts',"He didn't go into your house on Tuesday, Miss Corvo."),
 ('confess','tobias','ines','vossnot tooktob inorgan','asserts','I took the tin box myself, and I hid it in the chapel, in the organ.'),
 ('swear','tobias','ines','holthas','promises',"I'll get the deed to the warden before noon. I swear it to you."),
 ('offer','pim','tobias ines','canget','asserts','"I can get into the chapel," said Pim'),
]
accesses = [
 ('ines','discovery','She had found the bell',dict(prop='bellloft',gained_in='find')),
 ('ines','observation','The bell was not in the river',dict(prop='inriver',gained_in='find')),
 ('ines','discovery','The tin box was not in the chest',dict(prop='notchest',gained_in='search')),
 ('pim','observation','He had heard about the tin box, and about the organ',dict(prop='inorgan',gained_in='overhear')),
]
accesses.pop(1)
attitudes = [
 ('ines','inriver','disbelieves','It had never been in the river at all',dict(since='find')),
 ('ines','vosstook','disbelieves','Voss would not have swept',dict(since='realise',mode='inference')),
 ('ines','atmill','disbelieves','Ines understood that Tobias had lied to her',dict(since='realise',mode='inference')),
 ('ines','tooktob','believes','There had been one person in the house who was awake',dict(since='realise',mode='inference')),
 ('ines','inorgan','believes','But she did not take away her hand',dict(since='swear',speaker='tobias')),
]
attitudes[4] = ('ines','inorgan','believes',"The deed is in a locked chapel, and the key's in the river",dict(since='confess',speaker='tobias',mode='communication'))
unaware = [('ines',"I didn't know where it was",dict(prop='inorgan'))]
unaware = []
presences = [
 ('ines','enters','She pulled herself up over the sill',dict(place='mill',at='breakin')),
 ('ines','present','They put her in the toll house',dict(place='toll',at='jail')),
 ('pim','present','Pim was sitting on the milestone',dict(at='overhear')),
]
props2 = []
devs = [
 ('d9','promise','Tobias has sworn to Ines to get the deed to the warden before noon on Saturday.','tobias ines','holthas','swear',"I'll get the deed to the warden before noon. I swear it to you."),
]
steps = [
 ('Ines means to take the tin box','blocked','search','The tin box was not in the chest'),
 ('Ines means to show the deed','blocked','jail','The warden locked the door of it himself'),
 ('Tobias means to tell Ines','resolved','confess','I took the tin box myself, and I hid it in the chapel, in the organ'),
 ('d9','advanced','offer','"I can get into the chapel," said Pim'),
]
poss = [
 ('d9','If Pim can get Tobias into the chapel, Tobias can take the tin box out of the organ.','inorgan','',[('take',dict(agent='tobias',patient='box'))],'medium','The deed is in a locked chapel'),
]
real = []
sums = [
 (1,'row breakin search find caught','Ines breaks into the mill for the tin box. It is not in the iron chest; in the loft she finds the bell, and there Voss and Warden Holt find her.','She had found the bell'),
 (2,'jail alibi realise','The warden locks Ines in the toll house and tells her that Garrick Voss did not go into her house on Tuesday. She understands that Tobias lied to her.','Ines understood that Tobias had lied to her'),
 (3,'arrive confess swear offer','Tobias tells Ines that he took the tin box and hid it in the organ, and swears to get the deed to the warden. Pim has heard it and says that he can get into the chapel.','I can get into the chapel'),
]
