import { Menu, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { IN_MAIN } from '../../components/row-menu.js';
import { showFailure } from '../../components/messages.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useAllowance } from '../../components/use-allowance.js';
import { MOVES, statusName, type Document, type StatusMove } from './document-types.js';
import type { DocumentSession } from './editor/document-session.js';
import { StatusBadge } from './status-badge.js';

interface StatusMenuProps {
  document: Document;
  session: DocumentSession;
}

/** The status of a document, with a menu that changes it. */
export function StatusMenu({ document, session }: StatusMenuProps) {
  const move = useStatusMove(document.id, session);
  const allowance = useAllowance('documents:write');
  return (
    <Menu position="bottom-start" portalProps={IN_MAIN}>
      <Menu.Target>
        <UnstyledButton aria-label={`Status: ${statusName(document.status)}`}>
          <StatusBadge status={document.status} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Status">
        {MOVES[document.status].map((one) => (
          <Menu.Item
            key={one.to}
            onClick={() => {
              move.mutate(one);
            }}
            {...allowance}
          >
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Changes the status of a document after saving its text. */
export function useStatusMove(id: string, { autosave }: DocumentSession) {
  const { api } = useAccount();
  const dialogs = useDialogs();
  return useMutation({
    mutationFn: ({ to }: StatusMove) =>
      autosave.change(() =>
        dataOf(api.PATCH('/v1/documents/{id}', { params: { path: { id } }, body: { status: to } })),
      ),
    onError: (error) => {
      if (asFailure(error).isRefusedByRules) dialogs.open('checks');
      else showFailure(error);
    },
  });
}
