import { EVENT_NAMES, SELECTABLE_EVENTS } from '../../packages/dashboard/src/api/event-types.js';
import {
  covers,
  groupsOf,
  toggled,
} from '../../packages/dashboard/src/pages/webhooks/event-choices.js';

describe('The events picker', () => {
  it('The events picker finds events by any words of their name, meaning and group', () => {
    const found = (typed: string) => groupsOf(typed).flatMap(({ events }) => events);
    expect(found('')).toEqual(expect.arrayContaining(Object.keys(SELECTABLE_EVENTS)));
    expect(found('publi document')).toEqual(['document.published', 'document.unpublished']);
    expect(found('trash restored')).toEqual(['document.restored']);
    expect(found('webhooks')).toContain('webhook.disabled');
    expect(found('no such event')).toEqual([]);
  });

  it('The events picker replaces events by the pattern that includes them', () => {
    const some = toggled(toggled([], 'document.created'), 'webhook.test');
    expect(some).toEqual(['document.created', 'webhook.test']);
    expect(toggled(some, 'document.*')).toEqual(['webhook.test', 'document.*']);
    expect(toggled(some, '*')).toEqual(['*']);
    expect(toggled(some, 'webhook.test')).toEqual(['document.created']);
  });

  it('The events picker replaces a pattern by the others when one of its events is removed', () => {
    expect(toggled(['webhook.*'], 'webhook.test')).toEqual(['webhook.disabled']);
    const withoutDocuments = toggled(['*'], 'document.*');
    expect(withoutDocuments).toEqual(EVENT_NAMES.filter((name) => !name.startsWith('document.')));
    expect(covers(['document.*'], 'document.created')).toBe(true);
    expect(covers(['document.*'], 'document.*')).toBe(false);
    expect(covers(['document.*'], 'webhook.test')).toBe(false);
  });
});
