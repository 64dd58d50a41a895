import { Link2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { showCopyLink, useCopyLink } from '#store/link-state.ts';
import { activeFile, useSession } from '#store/session.ts';
import { IconButton } from '#ui/Button.tsx';

// Fetched when it is first opened: the QR code and all about links are not needed before.
const CopyLinkDialog = lazy(async () => ({
  default: (await import('./CopyLinkDialog.tsx')).CopyLinkDialog,
}));

/** Leads to the links to what is shown; nothing while no file is shown. */
export function CopyLinkButton() {
  const file = useSession(activeFile);
  const { isOpen, wasOpen } = useCopyLink();
  if (file?.status.step !== 'ready') return null;
  return (
    <>
      <IconButton
        label="Copy link"
        icon={<Link2 size={16} aria-hidden />}
        onClick={() => showCopyLink(true)}
      />
      <Suspense fallback={null}>
        {wasOpen ? (
          <CopyLinkDialog file={file} isOpen={isOpen} onClose={() => showCopyLink(false)} />
        ) : null}
      </Suspense>
    </>
  );
}
