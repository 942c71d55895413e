import { createLink } from '@tanstack/react-router';
import { Anchor, type AnchorProps } from '@mantine/core';
import { forwardRef, type AnchorHTMLAttributes } from 'react';

type PlainLinkProps = AnchorProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps>;

const PlainLink = forwardRef<HTMLAnchorElement, PlainLinkProps>((props, ref) => (
  <Anchor inherit {...props} ref={ref} />
));
PlainLink.displayName = 'PlainLink';

/** A link to another page. It keeps URL parameters that it does not set, such as the account. */
export const AppLink = createLink(PlainLink);
