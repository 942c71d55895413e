import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';
import type { FirstSteps as Steps } from '../../api/people.js';
import { every } from '../../api/queries.js';
import { useAccount, type Scope } from '../../api/session.js';
import { useAllowance } from '../../components/use-allowance.js';
import { ButtonLink } from '../../components/button-link.js';
import { CodeBlock } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import { showFailure } from '../../components/messages.js';
import { Icon } from '../../components/icons.js';
import pageClasses from '../../components/page.module.css';
import classes from './overview.module.css';
import { OVERVIEW_INTERVAL } from './usage-series.js';

type StepId = Steps['steps'][number]['id'];

/** The first steps in a new account, each with a command or button, until the list is dismissed. */
export function FirstSteps() {
  const { id } = useAccount();
  const path = { params: { path: { accountId: id } } };
  const queryClient = useQueryClient();
  const steps = useQuery({
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
  const allowance = useAllowance('documents:write');
  if (!steps.data || steps.data.dismissedAt !== null) return null;
  const next = steps.data.steps.find(({ done }) => !done);
  const done = steps.data.steps.filter((step) => step.done).length;
  return (
    // Folded when nothing is left to do. React sets `open` again only when that changes.
    <details
      className={`${pageClasses.section ?? ''} ${classes.fold ?? ''}`}
      open={next !== undefined}
    >
      <summary>
        <Icon name="right" />
        <h2>First steps</h2>
        <span className={classes.progress}>
          {next ? `${String(done)} of ${String(steps.data.steps.length)} done` : 'Setup complete.'}
        </span>
      </summary>
      <ol className={classes.steps} aria-label="First steps">
        {steps.data.steps.map((step) => (
          <Step key={step.id} {...step} isNext={step.id === next?.id} />
        ))}
      </ol>
      <Group mt="md" gap="sm">
        <Button
          size="xs"
          variant="default"
          loading={dismiss.isPending}
          onClick={() => {
            dismiss.mutate();
          }}
          {...allowance}
        >
          Dismiss first steps
        </Button>
      </Group>
    </details>
  );
}

const NAMES: Readonly<Record<StepId, string>> = {
  'create-key': 'Create a key',
  'send-request': 'Send a request',
  'create-document': 'Create a document',
  'create-webhook': 'Create a webhook',
  'receive-delivery': 'Receive a delivery',
};

function Step({ id, done, isNext }: { id: StepId; done: boolean; isNext: boolean }) {
  return (
    <li className={`${classes.step ?? ''} ${done ? (classes.done ?? '') : ''}`}>
      <span className={classes.mark} aria-hidden="true">
        {done && <Icon name="check" size={12} />}
      </span>
      <span className={classes.name}>
        {NAMES[id]}
        <span className="visually-hidden">{done ? ' (done)' : ' (to do)'}</span>
      </span>
      {!done && <div className={classes.help}>{HELP[id](isNext)}</div>}
    </li>
  );
}

const CREATE_DOCUMENT = JSON.stringify({ title: 'My first document', content: 'Hello, world.' });

/** The command or button of each step. */
const HELP: Readonly<Record<StepId, (isNext: boolean) => ReactNode>> = {
  'create-key': (isNext) => (
    <>
      <span>Your apps use the key to call the API. The key is shown once.</span>
      <StepLink
        to="/{-$accountId}/keys"
        scope="keys:write"
        search={{ dialog: 'create-key' }}
        isNext={isNext}
        text="Create key"
      />
    </>
  ),
  'send-request': () => (
    <Command
      name="A first request"
      text={curlCommand({ url: apiUrl('/v1/usage') })}
      hint="Set the variable API_KEY to your key, then run this command."
    />
  ),
  'create-document': (isNext) => (
    <>
      <Command
        name="A first document"
        text={curlCommand({ method: 'POST', url: apiUrl('/v1/documents'), body: CREATE_DOCUMENT })}
        hint="Use the API or the editor:"
      />
      <StepLink
        scope="documents:write"
        to="/{-$accountId}/documents/new"
        isNext={isNext}
        text="New document"
      />
    </>
  ),
  'create-webhook': (isNext) => (
    <>
      <span>Webhooks send events to your URL. No URL yet? Choose “Use test receiver”.</span>
      <StepLink
        to="/{-$accountId}/webhooks"
        scope="webhooks:write"
        search={{ dialog: 'create-webhook' }}
        isNext={isNext}
        text="Create webhook"
      />
    </>
  ),
  'receive-delivery': (isNext) => (
    <>
      <span>Open the webhook and choose “Send test event”, or edit a document.</span>
      <StepLink to="/{-$accountId}/webhooks" isNext={isNext} text="Webhooks" />
    </>
  ),
};

interface StepLinkProps {
  to: '/{-$accountId}/keys' | '/{-$accountId}/documents/new' | '/{-$accountId}/webhooks';
  search?: Record<string, string>;
  text: string;
  isNext: boolean;
  /** Scope that the linked page requires. */
  scope?: Scope;
}

function StepLink({ to, search = {}, text, isNext, scope = 'documents:read' }: StepLinkProps) {
  const allowance = useAllowance(scope);
  const look = { size: 'xs', variant: isNext ? 'filled' : 'default' };
  if (allowance.disabled) {
    return (
      <Button {...look} {...allowance}>
        {text}
      </Button>
    );
  }
  return (
    <ButtonLink to={to} search={search as never} {...look}>
      {text}
    </ButtonLink>
  );
}

function Command({ name, text, hint }: { name: string; text: string; hint: string }) {
  return (
    <>
      <span>{hint}</span>
      <CodeBlock name={name} text={text} />
      <CopyButton name="Copy curl" text={text} />
    </>
  );
}
