ents = [
 ('tobias','character','Tobias','Tobias and Pim were at the chapel before eight'),
 ('pim','character','Pim','Tobias and Pim were at the chapel before eight'),
 ('chapel','place','chapel','Tobias and Pim were at the chapel before eight'),
 ('key','object','chapel key','Pim took the chapel key from his coat'),
 ('coat','object','coat','He put his hand inside his coat'),
 ('organ','object','organ','on his knees behind the organ'),
 ('box','object','blue tin box','Tobias took the tin box out of the organ'),
 ('deed','object','deed','The deed lay inside with its red seal'),
 ('voss','character','Garrick Voss','Garrick Voss had come early, in a clean collar'),
 ('holt','character','Warden Holt','"I said noon," said Warden Holt'),
 ('crossing','place','crossing','The crossing belongs to the Corvos'),
 ('edda','character','Edda Corvo','Edda Corvo had been carried out to the landing in her chair'),
 ('ines','character','Ines Corvo','Ines came out into the room'),
 ('bell','object','bell','I want the bell'),
 ('mill','place','mill',"I'll work for you at the mill"),
 ('toll','place','toll house','something to do near the toll house'),
 ('landing','place','landing','carried it to the landing on a sledge'),
 ('smith','character','smith','said the smith, from the back'),
 ('village','group','whole village','The village had got up early'),
 ('river','place','river','none yet on the river'),
 ('heron','object','Heron','Ines went down and took the sweep'),
 ('corvos','group','Corvos','The crossing belongs to the Corvos'),
]
ents = [x for x in ents if x[0] != 'heron']
namings = [('box','the tin box'),('key','the long black iron key'),('edda','the old woman')]
events = [
 ('takekey','take','Pim took the chapel key from his coat',dict(agent='pim',patient='key',origin='coat')),
 ('unlock','unlock','unlocked the chapel',dict(agent='pim',patient='chapel',instrument='key')),
 ('takebox','take','Tobias took the tin box out of the organ',dict(agent='tobias',patient='box',origin='organ',place='chapel')),
 ('give','give','Tobias gave the tin box to Warden Holt',dict(agent='tobias',patient='box',recipient='holt',place='toll')),
 ('readdeed','read','He unfolded the deed and read it through, all of it',dict(agent='holt',patient='deed',place='toll')),
 ('award','declare',"\"That is the end of that, Mr. Voss. The crossing belongs to the Corvos.\"",dict(speech=1,agent='holt',recipient='voss')),
 ('own','confess','I was the one that took it. I lied to her',dict(speech=1,agent='tobias',recipient='voss')),
 ('pledge','promise',"I'll work for you at the mill until the chest is paid for, and the door, and the forty crowns",dict(speech=1,agent='tobias',recipient='voss')),
 ('work','work','Two years. You\'ll start on Monday.',dict(realis='future',agent='tobias',place='mill')),
 ('yield','give up',"I don't want the crossing any more; I am sick of looking at it. Take your bell.",dict(speech=1,agent='voss',recipient='tobias')),
 ('free','unlock','He went to the door at the back and unlocked it',dict(agent='holt',patient='toll')),
 ('out','come','Ines came out into the room with straw on her skirt',dict(agent='ines')),
 ('carry','carry','carried it to the landing on a sledge',dict(patient='bell',destination='landing')),
 ('report','tell','He told his grandmother that the tin box was out of the organ',dict(speech=1,agent='tobias',recipient='edda')),
 ('tell','tell','She had told Ines first, by herself, in the boathouse',dict(speech=1,agent='edda',recipient='ines')),
 ('hang','hang','Tobias and the smith hung the bell on the post at the landing',dict(agent='tobias smith',patient='bell',destination='landing',place='landing')),
 ('kept','tell',"\"Then you've kept it,\" said the old woman",dict(speech=1,agent='edda',recipient='tobias')),
 ('ring','ring','Then Edda rang the bell',dict(agent='edda',patient='bell',place='landing')),
 ('sweep','take','Ines went down and took the sweep',dict(agent='ines',companion='pim')),
]
causes = []
times = [('On Saturday morning',None,False)]
props = [
 ('keycoat','key','location','@coat','asserted','took the chapel key from his coat',dict(req=['takekey'])),
 ('keypim','key','possession','@pim','asserted','took the chapel key from his coat',dict(by='takekey')),
 ('unlocked','chapel','open','unlocked','asserted','unlocked the chapel',dict(by='unlock')),
 ('inorgan','box','location','@organ','asserted','There were the dead pipes, and behind them something blue',dict(req=['takebox'])),
 ('outorgan','box','location','@organ','asserted','Tobias took the tin box out of the organ',dict(neg=1,by='takebox')),
 ('deedin','deed','location','@box','asserted','The deed lay inside with its red seal'),
 ('eyes','voss','eyes','brown','asserted','His brown eyes went to the clock on the wall'),
 ('holtbox','box','possession','@holt','asserted','Tobias gave the tin box to Warden Holt',dict(by='give')),
 ('holthas','deed','possession','@holt','asserted','He unfolded the deed and read it through',dict(by='give')),
 ('owns','crossing','possession','@edda','unstated','belongs to Edda Corvo and to her heirs'),
 ('corvohas','crossing','possession','@corvos','unstated','The crossing belongs to the Corvos'),
 ('tooktob','tobias','took','@box','unstated','I was the one that took it'),
 ('vossnot','voss','took','@box','unstated','You never did.',dict(neg=1)),
 ('working','tobias','obligation','two years at the mill','unstated',"I'll work for you at the mill"),
 ('wants','voss','goal','the crossing','unstated',"I don't want the crossing any more",dict(neg=1)),
 ('opened','toll','open','unlocked','asserted','He went to the door at the back and unlocked it',dict(by='free')),
 ('vossbell','bell','possession','@voss','unstated',"the bell was Voss's no longer",dict(neg=1)),
 ('vossgave','bell','possession','@voss','asserted','The bell was his no longer.',dict(neg=1,by='yield')),
 ('eddaout','edda','location','@landing','asserted','Edda Corvo had been carried out to the landing in her chair'),
 ('atlanding','bell','location','@landing','asserted','hung the bell on the post at the landing',dict(by='hang')),
 ('outside','edda','location','@landing','asserted','Edda Corvo had asked to be carried out in her chair'),
 ('sold','bell','sold','@edda','unstated','she had told them'),
]
props = props[:20]
speeches = [
 ('award','holt','voss','corvohas','asserts','The crossing belongs to the Corvos.'),
 ('own','tobias','voss','tooktob vossnot','asserts','I told her that you stole it. You never did. I was the one that took it.'),
 ('pledge','tobias','voss','working','promises',"I'll work for you at the mill until the chest is paid for"),
 ('yield','voss','tobias','wants','asserts',"I don't want the crossing any more"),
 ('report','tobias','edda','outorgan vossbell','asserts',"He told his grandmother that the tin box was out of the organ, and that the bell was Voss's no longer"),
 ('kept','edda','tobias','','asserts',"\"Then you've kept it,\" said the old woman"),
]
accesses = [
 ('holt','reading','He unfolded the deed and read it through, all of it',dict(prop='owns',gained_in='readdeed')),
 ('ines','observation','She had heard it all through the boards',dict(event='own')),
 ('ines','observation','She had heard it all through the boards',dict(prop='outorgan',gained_in='give')),
 ('ines','observation','Ines came out into the room with straw on her skirt',dict(prop='opened',gained_in='out')),
 ('tobias','observation','Pim took the chapel key from his coat',dict(prop='keycoat',gained_in='takekey')),
 ('edda','observation','It was far louder than any of them remembered',dict(prop='atlanding',gained_in='ring')),
 ('ines','observation','It was far louder than any of them remembered',dict(prop='atlanding',gained_in='ring')),
 ('village','observation','It was far louder than any of them remembered',dict(prop='atlanding',gained_in='ring')),
 ('voss','observation','stood in the door with his arms crossed, and listened to it',dict(prop='atlanding',gained_in='ring')),
]
attitudes = [
 ('edda','outorgan','believes','She believed him at once',dict(since='report',speaker='tobias')),
 ('edda','vossbell','believes','She believed him at once, which was new',dict(since='report',speaker='tobias')),
]
unaware = []
presences = [
 ('tobias','present','Tobias and Pim were at the chapel before eight',dict(place='chapel')),
 ('pim','present','Tobias and Pim were at the chapel before eight',dict(place='chapel')),
 ('tobias','enters','Tobias came through the door',dict(place='toll')),
 ('pim','enters','Pim came in behind him',dict(place='toll')),
 ('voss','leaves','he walked out through the middle of them',dict(place='toll')),
]
props2 = [
 ('ringing','edda','goal','hear the bell','asserted','She sat for a moment with her face lifted',dict()),
]
props2 = []
devs = [
 ('d10','promise','Tobias has bound himself to work at the mill for Voss until the debt is paid.','tobias voss','working','pledge',"I'll work for you at the mill until the chest is paid for"),
]
steps = [
 ('Tobias has sworn to Ines','resolved','give','Tobias gave the tin box to Warden Holt'),
 ('Ines means to show the deed','resolved','award','I have it in my hand, and it isn\'t noon.'),
 ('Voss wants the crossing','abandoned','yield',"I don't want the crossing any more"),
 ('Tobias owes Voss','advanced','pledge',"I'll work for you at the mill until the chest is paid for"),
 ('Voss means to have the tin box','blocked','give','Tobias gave the tin box to Warden Holt'),
 ('Tobias has promised Edda','resolved','hang','Tobias and the smith hung the bell on the post at the landing'),
]
poss = []
real = [('If Pim can get Tobias into the chapel','takebox','Tobias took the tin box out of the organ'),
 ('If Tobias can get the bell out','hang','Tobias and the smith hung the bell on the post at the landing')]
sums = [
 (1,'takekey unlock takebox','Pim takes the chapel key from his coat and unlocks the chapel. Tobias takes the tin box out of the organ, and the deed is inside.','Tobias took the tin box out of the organ'),
 (2,'give award own pledge yield','Tobias gives the tin box to Warden Holt before noon, and the crossing goes to the Corvos. He owns to the lie, binds himself to two years at the mill, and Voss gives up the crossing and the bell.','Tobias gave the tin box to Warden Holt'),
 (3,'hang kept ring sweep','Tobias and the smith hang the bell at the landing before there is ice, and Edda rings it. Ines takes the ferry across with Pim at the bow.','Then Edda rang the bell'),
]
