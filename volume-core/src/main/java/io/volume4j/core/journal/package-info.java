/**
 * The node's write-ahead journal: opaque records, made durable in groups and replayed at the next start.
 *
 * <p>The owner is an event loop that never waits for a disk. It calls {@link io.volume4j.core.journal.Journal#append}
 * and continues; a callback reports whether the record is durable. Payloads are bytes to this package. It does not
 * know volumes, pods or plugins, and must not depend on any other package of the library. The engine and the node's
 * manager depend on the port ({@code Journal}, {@code JournalStore} and their records). Only the code that builds a
 * manager may use {@code FileJournalStore}.
 *
 * <p>A failed append means <em>not promised</em>, never <em>absent</em>: a later replay may still find the record, for
 * example one that was written when the process was killed. So owners must treat every replayed intent as one whose
 * effect may have happened.
 *
 * <p>A file of format version 1 is two copies of a 4096-byte header (magic, version, salt, first sequence number,
 * number of snapshot records, node name, boot id, root id, CRC32C) and then records without gaps: marker, length,
 * sequence number, type, CRC32C of that head, payload, CRC32C of the whole. Zeros after the last record reserve space.
 * {@code JournalFormat} and {@code docs/journal-format.md} define each byte.
 */
package io.volume4j.core.journal;
