"""Record the hand-written answers for the bundled story. Usage: record.py OUT_FOLDER"""
import asyncio, json, re, sys, tempfile, shutil
from pathlib import Path
from narraworld.extract.sources import read_sources
from narraworld.extract.model.port import Told, Usage
from narraworld.models.recordings import Recorder
from narraworld.reading.refusals import kept_refusals
from narraworld.reading.with_model import read_with_model
from narraworld.world import World
import importlib
HERE = Path(__file__).parent
SCRATCH = Path(tempfile.mkdtemp())
sys.path.insert(0, str(HERE))
from plotlines import LINES  # noqa: E402
CH = HERE.parents[1] / 'src/narraworld/stories/crossing/chapters'

class Hand:
    model = "recorded-by-hand"
    def __init__(self): self.n = 0
    async def ask(self, prompt, answer, /):
        if prompt.name == 'entities': self.n += 1
        (SCRATCH / f'prompt-{self.n}-{prompt.name}.txt').write_text(prompt.user)
        if prompt.name == 'repair':
            i = prompt.user.index('<refused'); print(prompt.user[i:prompt.user.index('</refused')]); raise SystemExit('refused items')
        made = plotlines(prompt.user) if prompt.name == 'plotlines' else Maker(importlib.import_module(f'ch{self.n}'), prompt.user).make(prompt.name)
        return Told(answer.model_validate(made), Usage(calls=1, prompt_tokens=(len(prompt.system)+len(prompt.user))//4, answer_tokens=len(json.dumps(made))//4))

def listed(user, name):
    m = re.search(rf'<{name} \w+>\n(.*?)\n</{name} ', user, re.S)
    return [] if m[1] == '(none)' else [(int(a), b) for a, b in re.findall(r'^(\d+)\. (.*)$', m[1], re.M)]

def plotlines(user):
    found = []
    for number, (title, text) in enumerate(re.findall(r'^Candidate \d+: (.*)\n((?: .*\n)+)', user, re.M), 1):
        lines = {line: int(n) for n, line in re.findall(r'^  (\d+)\. (.*)$', text, re.M)}
        at = lambda words: next((n for line, n in lines.items() if words in line), None)
        kind, uncertainty, given = next((one for key, one in LINES.items() if title.startswith(key)), (None, None, []))
        kept = [(relation, at(a), at(b), said) for relation, a, b, said in given if at(a) and at(b)]
        if len(kept) < len(given): print('?? not all connections of', title)
        if kept: found.append({'candidate': number, 'is_a': kind, 'uncertainty': uncertainty, 'summary': ' '.join(k[3] for k in kept),
                               'connections': [{'relation': r, 'earlier': [a], 'later': [b]} for r, a, b, _ in kept]})
    return {'plotlines': found}

class Maker:
    def __init__(self, ch, user):
        self.ch, self.user = ch, user
        self.lines = re.findall(r'^\[(\d+)\] (.*)$', re.search(r'<passage \w+>\n(.*)</passage', user, re.S)[1], re.M)
        self.e = {x[0]: i for i, x in enumerate(ch.ents, 1)}
        self.v = {x[0]: i for i, x in enumerate(ch.events, 1)}
        self.p = {x[0]: i for i, x in enumerate([*ch.props, *ch.props2], 1)}
    def q(self, quote):
        start = quote.split()
        hits = [int(n) for n, t in self.lines if quote in t] or [int(n) for n, t in self.lines if any(t.endswith(' '.join(start[:k])) for k in range(2, len(start)))]
        if not hits: print('?? no sentence:', quote)
        if len(hits) > 1: print('?? ambiguous:', quote, hits)
        return {'quote': quote, **({'sentence': hits[0]} if hits else {})}
    def make(self, name): return getattr(self, name)()
    def entities(self):
        known = listed(self.user, 'known')
        out = []
        for i, (key, kind, nm, quote) in enumerate(self.ch.ents, 1):
            k = next((n for n, t in known if nm in [t[:t.rindex(' (')], *t[t.rindex('(')+1:-1].replace('; also:', ',').split(', ')[1:]] or t.startswith(nm + ' (')), None)
            out.append({**self.q(quote), 'number': i, 'known': k, 'is_a': kind, 'name': nm})
        return {'entities': out, 'namings': [{**self.q(quote), 'entity': self.e[k]} for k, quote in self.ch.namings], 'identities': []}
    def prop(self, x):
        key, s, pred, o, truth, quote, *more = x
        more = more[0] if more else {}
        d = {**self.q(quote), 'number': self.p[key], 'subject': self.e[s], 'predicate': pred, 'truth': truth}
        if isinstance(o, tuple): d['about'] = self.p[o[0]]
        elif o.startswith('@'): d['object'] = self.e[o[1:]]
        else: d['value'] = o
        if more.get('neg'): d['negative'] = True
        if 'by' in more: d['effect_of'] = self.v[more['by']]
        if 'req' in more: d['required_by'] = [self.v[z] for z in more['req']]
        return d
    def events(self):
        c, out = self.ch, []
        for i, (key, what, quote, roles) in enumerate(c.events, 1):
            d = {**self.q(quote), 'number': i, 'what': what, 'realis': roles.pop('realis', 'actual') if False else roles.get('realis', 'actual')}
            for r, val in roles.items():
                if r == 'speech': d['is_speech'] = True
                elif r == 'place': d['place'] = self.e[val]
                elif r != 'realis': d[r] = [self.e[z] for z in val.split()]
            out.append(d)
        times = [{**self.q(quote), 'event': self.v[w] if isinstance(w, str) else None, 'scene': w if isinstance(w, int) else None, 'flashback': fb} for quote, w, fb in c.times]
        return {'events': out, 'causes': [{**self.q(quote), 'cause': self.v[a], 'effect': self.v[b]} for a, b, quote in c.causes], 'times': times,
                'orders': [{**self.q(quote), 'event': self.v[a], 'relation': r, 'other': self.v[b]} for a, r, b, quote in getattr(c, 'orders', [])],
                'propositions': [self.prop(x) for x in c.props]}
    def opt(self, more):
        m = {}
        for k, val in more.items():
            if k in ('prop', 'proposition'): m['proposition'] = self.p[val]
            elif k in ('event', 'gained_in', 'since', 'at'): m[k] = self.v[val]
            elif k in ('speaker', 'place'): m[k] = self.e[val]
            else: m[k] = val
        return m
    def perspective(self):
        c = self.ch
        return {'speeches': [{**self.q(quote), 'event': self.v[ev], 'speaker': self.e[s], 'addressees': [self.e[z] for z in a.split()], 'claims': [self.p[z] for z in cl.split()], 'manner': m} for ev, s, a, cl, m, quote in c.speeches],
                'accesses': [{**self.q(quote), 'holder': self.e[h], 'mode': m, **self.opt(more)} for h, m, quote, more in c.accesses],
                'attitudes': [{**self.q(quote), 'holder': self.e[h], 'proposition': self.p[p], 'attitude': a, **self.opt(more)} for h, p, a, quote, more in c.attitudes],
                'unawareness': [{**self.q(quote), 'holder': self.e[h], **self.opt(more)} for h, quote, more in c.unaware],
                'presences': [{**self.q(quote), 'holder': self.e[h], 'movement': m, **self.opt(more)} for h, m, quote, more in c.presences]}
    def changes(self):
        c = self.ch
        threads = listed(self.user, 'threads'); old = listed(self.user, 'possibilities')
        first = int(re.search(r'developments go on from (\d+)', self.user)[1])
        d = {x[0]: first + i for i, x in enumerate(c.devs)}
        def th(key): return d[key] if key in d else next(n for n, t in threads if t.startswith(key))
        return {'propositions': [self.prop(x) for x in c.props2],
                'developments': [{**self.q(quote), 'number': d[k], 'is_a': kind, 'title': t, 'holders': [self.e[z] for z in h.split()], 'aim': self.p[aim] if aim else None, 'event': self.v[ev] if ev else None} for k, kind, t, h, aim, ev, quote in c.devs],
                'steps': [{**self.q(quote), 'development': th(k), 'status': s, 'event': self.v[ev] if ev else None} for k, s, ev, quote in c.steps],
                'possibilities': [{**self.q(quote), 'development': th(k), 'summary': s, 'premises': [self.p[z] for z in pr.split()], 'constraints': [self.p[z] for z in co.split()], 'events': [{'what': w, **{r: [self.e[z] for z in val.split()] for r, val in roles.items()}} for w, roles in evs], 'uncertainty': u} for k, s, pr, co, evs, u, quote in c.poss],
                'realisations': [{**self.q(quote), 'possibility': next(n for n, t in old if t.startswith(s)), 'event': self.v[ev]} for s, ev, quote in c.real],
                'summaries': [{**self.q(quote), 'scene': n, 'events': [self.v[z] for z in evs.split()], 'summary': s} for n, evs, s, quote in c.sums]}

async def main(out):
    """Chapter by chapter and at once: the same questions about chapters, and plotlines over every prefix."""
    shutil.rmtree(out, ignore_errors=True)
    pieces = read_sources([str(p) for p in sorted(CH.glob('*.md'))])
    for runs in ([pieces[:n] for n in range(1, len(pieces) + 1)], [pieces]):
        hand = Hand()
        with World.open(Path(tempfile.mkdtemp(dir=SCRATCH)), create=True) as world:
            for run in runs:
                async for one in read_with_model(world.story, run, Recorder(hand, Path(out))):
                    print(one.unit, one.outcome, one.why, one.committed and (dict(one.committed.records), one.committed.refusals), one.usage)
            print(kept_refusals(world.store))

asyncio.run(main(sys.argv[1]))
