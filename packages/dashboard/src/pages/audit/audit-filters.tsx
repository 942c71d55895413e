// The list from which the API document is generated.
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '../../../../../src/features/audit/audit-actions.js';
import { useKeyOptions } from '../../api/keys.js';
import { useMemberNames } from '../../api/members.js';
import { FilterChips, type ChipFilter } from '../../components/filter-chips.js';
import { capitalized } from '../../components/words.js';

const ACTIONS = AUDIT_ACTIONS.map((action) => [action, action] as const);
const TYPES = AUDIT_RESOURCES.map((type) => [type, capitalized(type)] as const);
const isWholeId = (text: string) => /^[a-z]+_[0-9a-z]{26}$/.test(text);

/** All filters of the API. */
export function AuditFilters() {
  const filters: readonly ChipFilter[] = [
    { name: 'action', label: 'Action', options: ACTIONS },
    { name: 'resourceType', label: 'Type', options: TYPES },
    { name: 'userId', label: 'Actor', options: [...useMemberNames()] },
    { name: 'keyId', label: 'Key', options: useKeyOptions() },
    {
      name: 'resourceId',
      label: 'Resource ID',
      placeholder: 'doc_01kam3k0v5e0rbk1y2c9q4w7zt',
      accepts: isWholeId,
    },
    {
      name: 'requestId',
      label: 'Request ID',
      placeholder: 'req_01kam3k0v5e0rbk1y2c9q4w7zt',
      accepts: isWholeId,
    },
  ];
  return (
    <FilterChips label="Audit log" filters={filters} time={{ after: 'after', before: 'before' }} />
  );
}
