import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { FirstSteps as Steps } from '../../api/people.js';
import { every } from '../../api/queries.js';
import { useAccount, type CurrentAccount } from '../../api/session.js';
import { ButtonLink } from '../../components/button-link.js';
import { Icon } from '../../components/icons.js';
import { showFailure } from '../../components/messages.js';
import pageClasses from '../../components/page.module.css';
import { useDialogs } from '../../components/use-dialogs.js';
import { loadPart } from '../../load-part.js';
import { manageableRoles } from '../people/roles.js';
import classes from './overview.module.css';
import { OVERVIEW_INTERVAL } from './usage-series.js';

const TryIt = lazy(async () => ({
  default: (await loadPart(() => import('./try-it.js'))).TryIt,
}));

type StepId = Steps['steps'][number]['id'];

/** The first steps in a new account that the person may do, until the list is dismissed. */
export function FirstSteps() {
  const account = useAccount();
  const { id } = account;
  const path = { params: { path: { accountId: id } } };
  const queryClient = useQueryClient();
  const { dialog, close } = useDialogs();
  const { data } = useQuery({
    queryKey: [id, 'first-steps'],
    queryFn: () =>
      dataOf(dashboardApi.GET('/dashboard/api/accounts/{accountId}/first-steps', path)),
    refetchInterval: every(OVERVIEW_INTERVAL) as never,
  });
  const dismiss = useMutation({
    mutationFn: () =>
      dataOf(dashboardApi.POST('/dashboard/api/accounts/{accountId}/first-steps/dismiss', path)),
    onError: showFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [id, 'first-steps'] }),
  });
  const tryIt = dialog === 'try-it' && mayDo('send-request', account) && (
    <Suspense fallback={null}>
      <TryIt onClose={close} />
    </Suspense>
  );
  const steps = data?.steps.filter((step) => mayDo(step.id, account)) ?? [];
  if (!data || data.dismissedAt !== null || steps.length === 0) return tryIt;
  const next = steps.find(({ done }) => !done);
  const done = steps.filter((step) => step.done).length;
  return (
    <>
      {/* Folded when nothing is left to do. React sets `open` again only when that changes. */}
      <details
        className={`${pageClasses.section ?? ''} ${classes.fold ?? ''}`}
        open={next !== undefined}
      >
        <summary>
          <Icon name="right" />
          <h2>First steps</h2>
          <span className={classes.progress}>
            {next ? `${String(done)} of ${String(steps.length)} done` : 'Setup complete.'}
          </span>
        </summary>
        <ol className={classes.steps} aria-label="First steps">
          {steps.map((step) => (
            <Step key={step.id} {...step} isNext={step.id === next?.id} />
          ))}
        </ol>
        <Group mt="xs" className={classes.dismiss ?? ''}>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            loading={dismiss.isPending}
            onClick={() => {
              dismiss.mutate();
            }}
          >
            Dismiss first steps
          </Button>
        </Group>
      </details>
      {tryIt}
    </>
  );
}

/** Everybody who may do one of the steps may also dismiss the list. */
function mayDo(step: StepId, { may, role }: CurrentAccount): boolean {
  switch (step) {
    case 'create-document':
      return may('documents:write');
    case 'check-text':
      return may('documents:analyze');
    case 'invite-member':
      return manageableRoles(role).length > 0;
    case 'create-key':
    case 'send-request':
      return may('keys:write');
    case 'create-webhook':
    case 'receive-delivery':
      return may('webhooks:write');
  }
}

interface StepText {
  name: string;
  help: string;
  action: (isNext: boolean) => ReactNode;
}

function Step({ id, done, isNext }: { id: StepId; done: boolean; isNext: boolean }) {
  const { name, help, action } = STEPS[id];
  return (
    <li className={`${classes.step ?? ''} ${done ? (classes.done ?? '') : ''}`}>
      <span className={classes.mark} aria-hidden="true">
        {done && <Icon name="check" size={12} />}
      </span>
      <div className={classes.text}>
        <span className={classes.name}>
          {name}
          <span className="visually-hidden">{done ? ' (done)' : ' (to do)'}</span>
        </span>
        {!done && <span className={classes.help}>{help}</span>}
      </div>
      {!done && action(isNext)}
    </li>
  );
}

const STEPS: Readonly<Record<StepId, StepText>> = {
  'create-document': {
    name: 'Write a document',
    help: 'Start typing, or import a file.',
    action: (isNext) => (
      <StepLink to="/{-$accountId}/documents/new" isNext={isNext} text="New document" />
    ),
  },
  'check-text': {
    name: 'Check its text',
    help: 'Open a document to find spelling, grammar and style issues.',
    action: (isNext) => <StepLink to="/{-$accountId}/documents" isNext={isNext} text="Documents" />,
  },
  'invite-member': {
    name: 'Invite a member',
    help: 'Members write together, or only read.',
    action: (isNext) => (
      <StepLink
        to="/{-$accountId}/members"
        search={{ dialog: 'invite' }}
        isNext={isNext}
        text="Invite member"
      />
    ),
  },
  'create-key': {
    name: 'Create a key',
    help: 'Your apps use the key to call the API.',
    action: (isNext) => (
      <StepLink
        to="/{-$accountId}/keys"
        search={{ dialog: 'create-key' }}
        isNext={isNext}
        text="Create key"
      />
    ),
  },
  'send-request': {
    name: 'Send a request',
    help: 'Create a document through the API, with a key that lasts one hour.',
    action: (isNext) => <TryItButton isNext={isNext} />,
  },
  'create-webhook': {
    name: 'Create a webhook',
    help: 'Webhooks send events to your URL. No URL yet? Choose “Use test receiver”.',
    action: (isNext) => (
      <StepLink
        to="/{-$accountId}/webhooks"
        search={{ dialog: 'create-webhook' }}
        isNext={isNext}
        text="Create webhook"
      />
    ),
  },
  'receive-delivery': {
    name: 'Receive a delivery',
    help: 'Open the webhook and choose “Send test event”, or edit a document.',
    action: (isNext) => <StepLink to="/{-$accountId}/webhooks" isNext={isNext} text="Webhooks" />,
  },
};

interface StepLinkProps {
  to:
    | '/{-$accountId}/documents'
    | '/{-$accountId}/documents/new'
    | '/{-$accountId}/members'
    | '/{-$accountId}/keys'
    | '/{-$accountId}/webhooks';
  search?: Record<string, string>;
  text: string;
  isNext: boolean;
}

function StepLink({ to, search = {}, text, isNext }: StepLinkProps) {
  return (
    <ButtonLink to={to} search={search as never} {...lookOf(isNext)}>
      {text}
    </ButtonLink>
  );
}

function TryItButton({ isNext }: { isNext: boolean }) {
  const { open } = useDialogs();
  return (
    <Button
      {...lookOf(isNext)}
      onClick={() => {
        open('try-it');
      }}
    >
      Try it
    </Button>
  );
}

/** Only the next step has a filled button. */
function lookOf(isNext: boolean) {
  return { size: 'xs', variant: isNext ? 'filled' : 'default' };
}
