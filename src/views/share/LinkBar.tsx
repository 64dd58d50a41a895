import { Link2, X } from 'lucide-react';
import { useState } from 'react';
import { setNotice, useLinks } from '#store/link-state.ts';
import { activeFile, type OpenFile, useSession } from '#store/session.ts';
import { IconButton } from '#ui/Button.tsx';
import styles from './LinkBar.module.css';
import { noticeTexts, originText } from './link-news.ts';

/** Above the views of a file that a link led to: what the link carries, and what differs here. */
export function LinkBar() {
  const file = useSession(activeFile);
  return file?.status.step === 'ready' ? <News key={file.id} file={file} /> : null;
}

function News({ file }: { readonly file: OpenFile }) {
  const origin = useLinks(({ origins }) => origins.get(file.id) ?? null);
  const notice = useLinks(({ notices }) => notices.get(file.id) ?? null);
  const [isHidden, setHidden] = useState(false);
  const news = notice === null ? [] : noticeTexts(notice, file.sha256);
  const from = origin === null || isHidden ? null : originText(origin);
  if (from === null && news.length === 0) return null;
  return (
    <section className={styles.bar} data-news={news.length > 0} aria-label="About the link">
      <Link2 size={15} aria-hidden className={styles.icon} />
      <div className="grow break">
        {news.map((sentence) => (
          <p key={sentence} className="medium">
            {sentence}
          </p>
        ))}
        {from === null ? null : <p>{from}</p>}
      </div>
      <IconButton
        label="Hide link details"
        icon={<X size={14} aria-hidden />}
        size="small"
        onClick={() => {
          setHidden(true);
          setNotice(file.id, null);
        }}
      />
    </section>
  );
}
