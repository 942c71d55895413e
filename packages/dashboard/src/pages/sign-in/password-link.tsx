import { useState } from 'react';
import { Form } from '../people/form.js';
import { EmailField, PasswordField } from '../people/person-fields.js';
import { SignedOutPage } from './signed-out-page.js';
import { useLink, type LinkProps } from './use-link.js';

/** Sets a new password with the link of a reset. */
export function PasswordLink(props: LinkProps) {
  const [password, setPassword] = useState('');
  const use = useLink(props);
  return (
    <SignedOutPage title="New password" sentence="Setting a password signs out all other sessions.">
      <Form
        submit="Save password"
        wide
        submission={use}
        onSubmit={() => {
          use.mutate({ password });
        }}
      >
        {/* Password managers store the new password under this name. */}
        <EmailField value={props.link.email ?? ''} onChange={() => undefined} readOnly />
        <PasswordField
          value={password}
          onChange={setPassword}
          error={use.error}
          kind="new"
          autoFocus
        />
      </Form>
    </SignedOutPage>
  );
}
