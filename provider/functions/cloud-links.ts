// How an environment, or a platform of it, uses a cloud (service-facts §2.1.9 base.Consumes).
// It must not know who has the link.
import type { Attributes } from '../../api/contract';
import { numberIn } from './records';
import * as result from './result';

/** How a cloud is used. */
export const cloudLink = result.recordType('CloudLinkRecord', {
  /** 1 primary, 2 secondary. */
  priority: result.intResult(),
  /** Share of the wanted instances, in percent. */
  pctScale: result.intResult(),
  /** Order among clouds in a deployment, ascending. */
  dpmtOrder: result.intResult(),
  /** active, inactive (left as it is) or offline (instances are deleted). */
  adminstatus: result.textResult(),
});

/** A link's attributes; what is not said has the service's own value. */
export const linkOf = (attributes: Attributes): result.ResultValues<typeof cloudLink.members> => ({
  priority: numberIn(attributes['priority'], 1),
  pctScale: numberIn(attributes['pct_scale'], 100),
  dpmtOrder: numberIn(attributes['dpmt_order'], 1),
  adminstatus: attributes['adminstatus'] ?? 'active',
});
