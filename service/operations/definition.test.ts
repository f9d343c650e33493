// Laws of planning a procedure: which action runs where, in which order, with what.
import { type PlannedAction, plannedActions, readDefinition, type ProcedureSettings } from './definition';

/** Four instances below component 1, each with one machine it is managed by; relation names in full. */
const RELATIONS: readonly (readonly [from: number, name: string, to: number])[] = [
  [1, 'base.RealizedAs', 11],
  [1, 'base.RealizedAs', 12],
  [1, 'base.RealizedAs', 13],
  [1, 'base.RealizedAs', 14],
  [11, 'bom.ManagedVia', 21],
  [12, 'bom.ManagedVia', 22],
  [13, 'bom.ManagedVia', 23],
  [14, 'bom.ManagedVia', 24],
];

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

const orders = (definition: object | string, running: Partial<ProcedureSettings> = {}): string[] =>
  planned(definition, running).map(({ recordId, name, execOrder }) => `${execOrder} ${name} ${recordId}`);

const flow = (facts: object = {}, ...names: readonly string[]): object => ({
  relationName: 'base.RealizedAs',
  direction: 'from',
  actions: (names.length === 0 ? ['reboot'] : names).map((actionName, index) => ({
    actionName,
    stepNumber: index + 1,
  })),
  ...facts,
});

test.each<[string, object, Partial<ProcedureSettings>, readonly string[]]>([
  ['all targets at once', { flow: [flow()] }, {}, ['1 reboot 11', '1 reboot 12', '1 reboot 13', '1 reboot 14']],
  [
    'steps one after the other, for all targets at once',
    { flow: [flow({ targetIds: ['11', 12] }, 'stop', 'start')] },
    {},
    ['1 stop 11', '2 start 11', '1 stop 12', '2 start 12'],
  ],
  [
    'one target after the other where the flow says so',
    { flow: [flow({ execStrategy: 'one-by-one', targetIds: [11, 12] }, 'stop', 'start')] },
    {},
    ['1 stop 11', '2 start 11', '3 stop 12', '4 start 12'],
  ],
  [
    'half of four at a time',
    { flow: [flow()] },
    { rollAt: 50 },
    ['1 reboot 11', '1 reboot 12', '2 reboot 13', '2 reboot 14'],
  ],
  [
    'at least one at a time',
    { flow: [flow()] },
    { rollAt: 1 },
    ['1 reboot 11', '2 reboot 12', '3 reboot 13', '4 reboot 14'],
  ],
  [
    'three of four, then the rest, with all their steps',
    { flow: [flow({}, 'stop', 'start')] },
    { rollAt: 70 },
    ['1 stop 11', '2 start 11', '1 stop 12', '2 start 12', '1 stop 13', '2 start 13', '3 stop 14', '4 start 14'],
  ],
  [
    'flows one after the other',
    { flow: [flow({ targetIds: [11] }), flow({ targetIds: [12] }, 'status')] },
    {},
    ['1 reboot 11', '2 status 12'],
  ],
  ['actions on the anchor itself', { flow: [], actions: [{ actionName: 'status' }] }, {}, ['1 status 1']],
  [
    'actions on the anchor before the flows',
    { flow: [flow({ targetIds: [11] })], actions: [{ actionName: 'status' }] },
    {},
    ['1 status 1', '2 reboot 11'],
  ],
  [
    'a relation by the last part of its name',
    { flow: [flow({ relationName: null, relationShortName: 'RealizedAs', targetIds: [13] })] },
    {},
    ['1 reboot 13'],
  ],
  [
    'targets of one namespace, or below it',
    { flow: [flow({ nsPath: '/acme/shop/even' })] },
    {},
    ['1 reboot 12', '1 reboot 14'],
  ],
  [
    'what is nested after the actions of its target',
    {
      flow: [flow({ targetIds: [11, 12], flow: [flow({ relationName: 'bom.ManagedVia' }, 'powercycle')] })],
    },
    {},
    ['1 reboot 11', '2 powercycle 21', '1 reboot 12', '2 powercycle 22'],
  ],
])('%s', (_, definition, running, expected) => {
  expect(orders(definition, running)).toEqual(expected);
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
