// The list from which the API document is generated.
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '../../../../../src/features/audit/audit-actions.js';
import { useKeyOptions } from '../../api/keys.js';
import { useMemberNames } from '../../api/members.js';
import {
  ClearFilters,
  FilterBar,
  SelectFilter,
  TextFilter,
  withChosen,
} from '../../components/filters.js';
import { TimeFilter } from '../../components/time-filter.js';
import { useSearchState } from '../../search-state.js';
import { FILTERS } from './audit-query.js';

const same = (value: string) => [value, value] as const;
const isWholeId = (text: string) => /^[a-z]+_[0-9a-z]{26}$/.test(text);

/** All filters of the API. */
export function AuditFilters() {
  const [state] = useSearchState();
  const names = useMemberNames();
  const keys = useKeyOptions();
  const active = FILTERS.filter((name) => state[name] !== undefined).length;
  return (
    <FilterBar label="Audit log" active={active}>
      <SelectFilter
        label="Action"
        name="action"
        options={withChosen(AUDIT_ACTIONS.map(same), state.action)}
      />
      <SelectFilter
        label="Type"
        name="resourceType"
        options={withChosen(AUDIT_RESOURCES.map(same), state.resourceType)}
      />
      <TextFilter label="Resource ID" name="resourceId" accepts={isWholeId} />
      <SelectFilter label="Actor" name="userId" options={withChosen([...names], state.userId)} />
      <SelectFilter label="Key" name="keyId" options={withChosen(keys, state.keyId)} />
      <TextFilter label="Request ID" name="requestId" placeholder="req_…" accepts={isWholeId} />
      <TimeFilter label="From" name="after" />
      <TimeFilter label="Until" name="before" />
      <ClearFilters names={FILTERS} />
    </FilterBar>
  );
}
