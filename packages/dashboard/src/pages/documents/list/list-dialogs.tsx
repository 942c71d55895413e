import { lazy, Suspense, useState } from 'react';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { loadPart } from '../../../load-part.js';
import { ACTIONS_IN_TRASH, ACTIONS_IN_USE, dialogName } from '../bulk/bulk-actions.js';
import { BulkDialog } from '../bulk/bulk-dialog.js';
import DeleteDocument from '../delete-document.js';
import type { DocumentListItem } from '../document-types.js';
import type { DocumentFilters } from '../list-query.js';

const MoveDocument = lazy(() => loadPart(() => import('../../folders/move-document.js')));

/** Value in the URL for all matching documents, instead of some IDs. */
export const ALL = 'all';

interface ListDialogsProps {
  filters: DocumentFilters;
  rows: readonly DocumentListItem[];
  total: number;
  onDone: () => void;
}

/** Shows the dialog in the URL once its list is loaded. */
export function ListDialogs(props: ListDialogsProps) {
  const { dialog, of } = useDialogs();
  if (dialog === undefined || of === undefined) return null;
  return <Dialogs key={`${dialog} ${of}`} {...props} />;
}

/** Keeps the initial documents while the list changes. */
function Dialogs({ filters, rows, total, onDone }: ListDialogsProps) {
  const { dialog, of = '', close } = useDialogs();
  const mayWrite = useAllowance('documents:write').disabled !== true;
  const mayDelete = useAllowance('documents:delete').disabled !== true;
  const [some] = useState(() => rows.filter(({ id }) => of.split(',').includes(id)));
  const actions = filters.deleted === true ? ACTIONS_IN_TRASH : ACTIONS_IN_USE;
  const action = actions.find((one) => dialogName(one) === dialog);
  if (!action || !(action.kind === 'delete-for-good' ? mayDelete : mayWrite)) return null;
  if (of === ALL) {
    return (
      <BulkDialog action={action} target={filters} count={total} onDone={onDone} onClose={close} />
    );
  }
  const [first] = some;
  if (!first) return null;
  if (action.kind === 'delete' && some.length === 1) {
    return <DeleteDocument document={first} onClose={close} />;
  }
  if (action.kind === 'folder' && some.length === 1) {
    return (
      <Suspense fallback={null}>
        <MoveDocument document={first} onDone={onDone} onClose={close} />
      </Suspense>
    );
  }
  return (
    <BulkDialog action={action} target={some} count={some.length} onDone={onDone} onClose={close} />
  );
}
