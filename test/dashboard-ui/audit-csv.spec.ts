import {
  auditFilters,
  CSV_TITLES,
  csvRow,
  type AuditEntry,
} from '../../packages/dashboard/src/pages/audit/audit-query.js';
import { csvCell, csvFile } from '../../packages/dashboard/src/pages/audit/csv.js';

describe('The audit log as CSV', () => {
  it('The audit log as CSV leaves text unchanged, and quotes what RFC 4180 requires', () => {
    expect(csvCell('document.create')).toBe('document.create');
    expect(csvCell('a, b')).toBe('"a, b"');
    expect(csvCell('say "no"')).toBe('"say ""no"""');
    expect(csvCell('two\r\nlines')).toBe('"two\r\nlines"');
    expect(csvCell('')).toBe('');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =cmd', '＝1+1'])(
    'The audit log as CSV contains no spreadsheet formula for %j',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('The audit log as CSV is a UTF-8 file with a header row', () => {
    expect(csvFile(['A', 'B'], [['1', '=2']])).toBe("\uFEFFA,B\r\n1,'=2\r\n");
    expect(csvFile(['A'], [])).toBe('\uFEFFA\r\n');
  });

  it('The audit log as CSV says who did it: a key, a person in the dashboard, or the operator', () => {
    const entry: AuditEntry = {
      id: 'aud_1',
      action: 'document.create',
      resource: { type: 'document', id: 'doc_1' },
      actor: { userId: 'user_1', userName: '=Ada', keyId: null },
      requestId: null,
      clientAddress: null,
      userAgent: null,
      createdAt: '2026-11-22T12:00:00.000Z',
      details: { version: 1 },
    };
    const row = csvRow(entry);
    expect(row).toHaveLength(CSV_TITLES.length);
    expect(row).toEqual([
      '2026-11-22T12:00:00.000Z',
      'document.create',
      'document',
      'doc_1',
      '=Ada',
      'user_1',
      '',
      '',
      '',
      '',
      '{"version":1}',
      'aud_1',
    ]);
    expect(csvRow({ ...entry, actor: null, details: { by: 'operator' } })[4]).toBe('operator');
  });

  it('The audit log as CSV uses only the filters in the URL', () => {
    const state = { action: 'key.create', after: '2026-11-01', page: '3', open: 'aud_1' };
    expect(auditFilters(state)).toEqual({ action: 'key.create', after: '2026-11-01' });
  });
});
