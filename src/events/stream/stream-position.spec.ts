import { positionAfter, positionAt } from './stream-position.js';

const ID = '01928c40-0000-7000-8000-000000000000';

describe('the position of a stream', () => {
  it('begins at the oldest transaction under way, and remembers what was visible', () => {
    expect(positionAt('120:125:120,123')).toEqual({
      transactionId: '120',
      eventId: '00000000-0000-0000-0000-000000000000',
      since: '120:125:120,123',
    });
  });

  it('forgets that behind the first transaction that began later', () => {
    const { since } = positionAt('120:125:120,123');
    const after = (transactionId: string) => positionAfter({ since }, { id: ID, transactionId });
    expect(after('120')).toEqual({ transactionId: '120', eventId: ID, since });
    expect(after('124').since).toBe(since);
    expect(after('125')).toEqual({ transactionId: '125', eventId: ID, since: null });
  });

  it('compares numbers beyond those that a double tells apart', () => {
    const { since } = positionAt('9007199254740993:9007199254740995:');
    const after = (transactionId: string) => positionAfter({ since }, { id: ID, transactionId });
    expect(after('9007199254740994').since).toBe(since);
    expect(after('9007199254740995').since).toBeNull();
  });
});
