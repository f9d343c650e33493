// Laws of planning a procedure: which action runs where, in which order, with what.
import fc from 'fast-check';
import { type Lenient, type PlannedAction, plannedActions, type ProcedureSettings } from './definition';
import { readDefinition, readLenient } from './definition';
import { mayMove, PROCEDURE_STATES } from './procedures';

/** Four instances below component 1, each with one machine that it is managed by. */
const RELATIONS = [1, 2, 3, 4].flatMap((number): [from: number, name: string, to: number][] => [
  [1, 'base.RealizedAs', 10 + number],
  [10 + number, 'bom.ManagedVia', 20 + number],
]);

const NOTHING: ProcedureSettings = { arguments: null, isCritical: undefined, rollAt: undefined };

function planned(definition: object | string, running: Partial<ProcedureSettings> = {}): readonly PlannedAction[] {
  const reading = readDefinition(typeof definition === 'string' ? definition : JSON.stringify(definition));
  if (!reading.ok) throw new Error(reading.reason);
  const actions = plannedActions(
    reading.definition,
    1,
    (id, { relationName, relationShortName, direction }) =>
      RELATIONS.filter(
        ([from, name, to]) =>
          (direction === 'from' ? from : to) === id &&
          (relationName === undefined || name === relationName) &&
          (relationShortName === undefined || name.endsWith(`.${relationShortName}`)),
      ).map(([from, , to]) => ({
        id: direction === 'from' ? to : from,
        className: 'bom.Compute',
        namespace: `/acme/shop/${to % 2 === 0 ? 'even' : 'odd'}/bom`,
      })),
    { ...NOTHING, ...running },
  );
  return actions ?? [];
}

const flow = (facts: object = {}, ...names: readonly string[]): object => ({
  relationName: 'base.RealizedAs',
  direction: 'from',
  actions: (names.length === 0 ? ['reboot'] : names).map((actionName, index) => ({
    actionName,
    stepNumber: index + 1,
  })),
  ...facts,
});

const REALIZED = { relationName: null, relationShortName: 'RealizedAs' };

test.each<[string, object | readonly object[], string, Partial<ProcedureSettings>?]>([
  ['all targets at once', [flow()], '1 reboot 11, 1 reboot 12, 1 reboot 13, 1 reboot 14'],
  [
    'steps one after the other, for all targets at once',
    [flow({ targetIds: ['11', 12] }, 'stop', 'start')],
    '1 stop 11, 2 start 11, 1 stop 12, 2 start 12',
  ],
  [
    'one target after the other where the flow says so',
    [flow({ execStrategy: 'one-by-one', targetIds: [11, 12] }, 'stop', 'start')],
    '1 stop 11, 2 start 11, 3 stop 12, 4 start 12',
  ],
  ['half of four at a time', [flow()], '1 reboot 11, 1 reboot 12, 2 reboot 13, 2 reboot 14', { rollAt: 50 }],
  ['at least one at a time', [flow()], '1 reboot 11, 2 reboot 12, 3 reboot 13, 4 reboot 14', { rollAt: 1 }],
  [
    'three of four, then the rest, with all their steps',
    [flow({}, 'stop', 'start')],
    '1 stop 11, 2 start 11, 1 stop 12, 2 start 12, 1 stop 13, 2 start 13, 3 stop 14, 4 start 14',
    { rollAt: 70 },
  ],
  [
    'one flow after the other',
    [flow({ targetIds: [11] }), flow({ targetIds: [12] }, 'status')],
    '1 reboot 11, 2 status 12',
  ],
  ['actions on the anchor itself', { flow: [], actions: [{ actionName: 'status' }] }, '1 status 1'],
  [
    'actions on the anchor before the flows',
    { flow: [flow({ targetIds: [11] })], actions: [{ actionName: 'status' }] },
    '1 status 1, 2 reboot 11',
  ],
  ['a relation by its last part', [flow({ ...REALIZED, targetIds: [13] })], '1 reboot 13'],
  ['targets of one namespace, or below it', [flow({ nsPath: '/acme/shop/even' })], '1 reboot 12, 1 reboot 14'],
  [
    'what is nested after the actions of its target',
    [flow({ targetIds: [11, 12], flow: [flow({ relationName: 'bom.ManagedVia' }, 'powercycle')] })],
    '1 reboot 11, 2 powercycle 21, 1 reboot 12, 2 powercycle 22',
  ],
])('%s', (_, definition, expected, running = {}) => {
  const actions = planned(Array.isArray(definition) ? { flow: definition } : definition, running);
  expect(actions.map(({ recordId, name, execOrder }) => `${execOrder} ${name} ${recordId}`).join(', ')).toBe(expected);
});

test('every action is given what the procedure is given; its own text where the procedure has none', () => {
  const definition = { flow: [flow({ targetIds: [11], actions: [{ actionName: 'reboot', arglist: 'own' }] })] };
  const given = (text: string | null): (string | null)[] =>
    planned(definition, { arguments: text }).map((action) => action.arguments);
  expect([given('all'), given(''), given(null)]).toEqual([['all'], ['own'], ['own']]);
  expect(planned({ flow: [flow({ targetIds: [11] })] }, { arguments: '{}' })[0]?.arguments).toBe('{}');
});

test('actions are critical as they say, unless the procedure says it of all', () => {
  const actions = [
    { actionName: 'a', isCritical: true },
    { actionName: 'b', isCritical: 'false' },
    { actionName: 'c' },
  ];
  const critical = (isCritical: boolean | undefined): boolean[] =>
    planned({ actions }, { isCritical }).map((action) => action.isCritical);
  expect([critical(undefined), critical(true), critical(false)]).toEqual([
    [true, false, false],
    [true, true, true],
    [false, false, false],
  ]);
});

test.each<[object | string, string]>([
  [{ flow: [{ direction: 'from' }] }, 'definition.flow.0: relationName or relationShortName is needed'],
  [{ flow: [flow({ direction: 'up' })] }, 'definition.flow.0.direction'],
  [{ flow: [flow({ actions: [{}] })] }, 'definition.flow.0.actions.0.actionName'],
  ['reboot', 'definition: '],
  ['{flow=', 'definition cannot be read: '],
])('%j cannot be planned', (definition, reason) => {
  const reading = readDefinition(typeof definition === 'string' ? definition : JSON.stringify(definition));
  expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});

// Laws of the lenient reader: JSON reads as JSON, what a Java map prints as what was printed.

const valueOf = (text: string): unknown => {
  const reading = readLenient(text);
  return reading.ok ? reading.value : reading.reason;
};

test('every JSON text reads as JSON has it, however it is indented', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(valueOf(text)).toEqual(JSON.parse(text));
    }),
  );
});

/** Words a Java map prints without quotes and that read as themselves. */
const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/).filter((text) => !/^(true|false|null)$/i.test(text));
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: Lenient }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(word, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

interface Style {
  readonly colon: string;
  readonly comma: string;
  readonly quote: string;
}

function printed(value: Lenient, style: Style): string {
  if (Array.isArray(value)) return `[${value.map((each: Lenient) => printed(each, style)).join(style.comma)}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, each]) => `${style.quote}${name}${style.quote}${style.colon}${printed(each, style)}`,
    );
    return `{${members.join(style.comma)}}`;
  }
  return typeof value === 'string' ? `${style.quote}${value}${style.quote}` : String(value);
}

test('what is printed with other separators, other quotes or none reads as what was printed', () => {
  const style = fc.record({
    colon: fc.constantFrom('=', ':', ' = ', '=>', ' => ', ': '),
    comma: fc.constantFrom(',', ', ', ';', ' ; '),
    quote: fc.constantFrom('', '"', "'"),
  });
  fc.assert(fc.property(tree, style, (value, how) => expect(valueOf(printed(value, how))).toEqual(value)));
});

test('any text is read or refused with a reason, never anything else', () => {
  const bits = fc.constantFrom('{', '}', '[', ']', '=', ':', ',', ';', '"', "'", '\\', 'a', '1', 'null', ' ', '\\u00');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(bits).map((parts) => parts.join('')),
      ),
      (text) => {
        const reading = readLenient(text);
        if (!reading.ok) expect(reading.reason).toMatch(/\S/);
      },
    ),
  );
});

test.each<[string, unknown]>([
  [
    '{name=reboot, flow=[{targetIds=[1], actions=[{isCritical=true, stepNumber=1, extraInfo=null}], direction=from}]}',
    {
      name: 'reboot',
      flow: [{ targetIds: [1], actions: [{ isCritical: true, stepNumber: 1, extraInfo: null }], direction: 'from' }],
    },
  ],
  ['{arglist=, name=x}', { arglist: '', name: 'x' }],
  ['{a=1;a=2}', { a: 2 }],
  ['[1,,2]', [1, null, 2]],
  ['{__proto__=1}', JSON.parse('{"__proto__":1}')],
  ['{a=TRUE, b=Null}', { a: true, b: null }],
  ['{id=007}', { id: '007' }],
])('%s', (text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test.each<[string, string]>([
  ['', 'expected a value at character 1, found the end'],
  ['{a=1', 'expected "," or "}" at character 5, found the end'],
  ['{a 1}', 'expected ":" or "=" at character 4, found "1"'],
  ['{=1}', 'expected a name at character 2, found "="'],
  ['[1}', 'expected "," or "]" at character 3, found "}"'],
  ['{a=two words}', 'expected "," or "}" at character 8, found "w"'],
  ['1 2', 'expected the end at character 3, found "2"'],
  ['"a', 'expected the closing " at character 3, found the end'],
  ['"\\u12x"', 'expected four hexadecimal digits at character 4, found "1"'],
  ['['.repeat(10_000), 'it is nested more than 24 deep'],
])('%.20s is refused: %s', (text, reason) => {
  expect(valueOf(text)).toBe(reason);
});

// Every move of every state a procedure may be asked for, against the table of service-facts §3.7.

const ASKED = [...PROCEDURE_STATES, 'discarded', 'inprogress', '', '__proto__', 'constructor'];
const ALLOWED = [
  'pending -> active',
  'pending -> canceled',
  'active -> canceled',
  'failed -> active',
  'failed -> canceled',
];

test.each(PROCEDURE_STATES.flatMap((from) => ASKED.map((to): [string, string] => [from, to])))(
  'a procedure that is %s, asked to become "%s"',
  (from, to) => {
    expect(mayMove(from, to)).toBe(ALLOWED.includes(`${from} -> ${to}`));
  },
);

test('what no procedure is stored as moves nowhere', () => {
  for (const from of ['discarded', '', '__proto__']) for (const to of ASKED) expect(mayMove(from, to)).toBe(false);
});
