import { Button } from '@mantine/core';
import { countOf, formatCount } from '../../../components/numbers.js';
import { useAllowance } from '../../../components/use-allowance.js';
import {
  ACTIONS_IN_TRASH,
  ACTIONS_IN_USE,
  actionName,
  MOST_AT_ONCE,
  type BulkAction,
} from '../bulk/bulk-actions.js';
import classes from './list.module.css';

interface SelectionBarProps {
  count: number;
  inTrash: boolean;
  /** False if there is no folder to move documents to. */
  hasFolders: boolean;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
  /** Offered if all rows of the page are selected and more documents match. */
  selectAll: { total: number; select: () => void } | undefined;
}

/** The actions for the selected documents. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, inTrash, hasFolders, onAction, onClear, selectAll } = props;
  const writing = useAllowance('documents:write');
  const removing = useAllowance('documents:delete');
  const actions = (inTrash ? ACTIONS_IN_TRASH : ACTIONS_IN_USE).filter(
    ({ kind }) => kind !== 'folder' || hasFolders,
  );
  return (
    <div className={classes.selection} role="group" aria-label="Selection">
      <strong>{countOf(count, 'document')} selected</strong>
      {selectAll && (
        <Button size="compact-sm" variant="subtle" onClick={selectAll.select}>
          Select all {formatCount(selectAll.total)} that match
        </Button>
      )}
      {count > MOST_AT_ONCE && <span>One action can include {formatCount(MOST_AT_ONCE)}.</span>}
      {actions.map((action) => (
        <Button
          key={actionName(action)}
          size="compact-sm"
          variant="default"
          onClick={() => {
            onAction(action);
          }}
          {...(action.kind === 'delete-for-good' ? removing : writing)}
        >
          {actionName(action)}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
