import { Button } from '@mantine/core';
// The list from which the API document is generated.
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '../../../../../src/features/audit/audit-actions.js';
import { useKeys } from '../../api/keys.js';
import { useMemberNames } from '../../api/members.js';
import { FilterBar, SelectFilter, TextFilter } from '../../components/filters.js';
import { TimeFilter } from '../../components/time-filter.js';
import { useSearchState } from '../../search-state.js';
import { FILTERS } from './audit-query.js';

type Options = readonly (readonly [value: string, text: string])[];

const same = (value: string) => [value, value] as const;
const isWholeId = (text: string) => /^[a-z]+_[0-9a-z]{26}$/.test(text);

/** Includes the value in the URL if it is none of the options. */
function withChosen(options: Options, chosen: string | undefined): Options {
  if (chosen === undefined || options.some(([value]) => value === chosen)) return options;
  return [...options, same(chosen)];
}

/** All filters of the API. */
export function AuditFilters() {
  const [state, change] = useSearchState();
  const names = useMemberNames();
  const keys = useKeys();
  const people: Options = [...names].map(([id, name]) => [id, name] as const);
  const keyNames: Options = (keys.data ?? []).map(
    ({ id, name, lastFour }) => [id, `${name} (…${lastFour})`] as const,
  );
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
      <SelectFilter label="Actor" name="userId" options={withChosen(people, state.userId)} />
      <SelectFilter label="Key" name="keyId" options={withChosen(keyNames, state.keyId)} />
      <TextFilter label="Request ID" name="requestId" placeholder="req_…" accepts={isWholeId} />
      <TimeFilter label="From" name="after" />
      <TimeFilter label="Until" name="before" />
      {active > 0 && (
        <Button
          variant="subtle"
          onClick={() => {
            change(Object.fromEntries(FILTERS.map((name) => [name, undefined])));
          }}
        >
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}
