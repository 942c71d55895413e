import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode, type Ref } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { showDone, showFailure } from '../../components/messages.js';
import { RowMenu } from '../../components/row-menu.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { loadPart } from '../../load-part.js';
import { MAIN_MOVES, type Document } from './document-types.js';
import type { DocumentSession } from './editor/document-session.js';
import { storedTexts } from './editor/texts.js';
import { ExportItems } from './export-items.js';
import { PublishingPart } from './publishing/publishing-part.js';
import { useStatusMove } from './status-menu.js';

const DocumentDialogs = lazy(() => loadPart(() => import('./document-dialogs.js')));

interface DocumentActionsProps {
  document: Document;
  session: DocumentSession;
  /** Action of the main button, if the status has one. */
  mainRef: Ref<HTMLButtonElement>;
  /** More items of the menu. */
  menuItems: ReactNode;
  onDeleted: () => void;
}

/** The actions for a whole document. */
export function DocumentActions(props: DocumentActionsProps) {
  const { document, session, mainRef, menuItems, onDeleted } = props;
  const { autosave } = session;
  const { api } = useAccount();
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const { id, title } = document;
  const move = useStatusMove(id, session);
  const main = MAIN_MOVES[document.status];
  const duplicate = useMutation({
    mutationFn: async () => {
      await autosave.save();
      const { type, metadata, aiSettings, collectionId } = document;
      const texts = storedTexts(autosave.yours);
      const body = {
        type,
        metadata,
        aiSettings,
        collectionId,
        ...texts,
        title: copyName(texts.title),
      };
      return dataOf(api.POST('/v1/documents', { body }));
    },
    onSuccess: (copy) => {
      showDone('Copy created.');
      void navigate({
        to: '/{-$accountId}/documents/$documentId',
        params: { documentId: copy.id } as never,
      });
    },
    onError: showFailure,
  });
  const openHistory = () => {
    void navigate({
      to: '/{-$accountId}/documents/$documentId/history',
      params: ((previous: object) => ({ ...previous, documentId: id })) as never,
    });
  };
  return (
    <>
      <PublishingPart part="button" session={session} mainRef={mainRef}>
        {main && (
          <Button
            ref={mainRef}
            size="sm"
            loading={move.isPending}
            onClick={() => {
              move.mutate(main);
            }}
            {...allowance}
          >
            {main.name}
          </Button>
        )}
      </PublishingPart>
      <RowMenu name="this document">
        <Menu.Item onClick={openHistory}>History</Menu.Item>
        <PublishingPart part="items" session={session} />
        {menuItems}
        <Menu.Item
          onClick={() => {
            duplicate.mutate();
          }}
          {...allowance}
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          onClick={() => {
            dialogs.open('folder');
          }}
          {...allowance}
        >
          Move to folder
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Export as</Menu.Label>
        <ExportItems id={id} title={title} before={() => autosave.save()} />
        <Menu.Divider />
        <Menu.Item
          color="red"
          onClick={() => {
            dialogs.open('delete');
          }}
          {...allowance}
        >
          Delete
        </Menu.Item>
      </RowMenu>
      <Suspense fallback={null}>
        {dialogs.dialog !== undefined && (
          <DocumentDialogs document={document} session={session} onDeleted={onDeleted} />
        )}
      </Suspense>
    </>
  );
}

/** Maximum length of a title. */
function copyName(title: string): string {
  return `${title.slice(0, 490)} (copy)`;
}
