/**
 * The node's write-ahead journal: opaque records, made durable in groups, replayed at the next start.
 *
 * <p>The owner is an event loop that never waits for a disk. It calls {@link io.volume4j.core.journal.Journal#append},
 * goes on, and learns through a callback that the record is durable or is not. Payloads are bytes to this package: it
 * knows nothing of volumes, pods or plugins, and must not depend on any other package of the library. The engine and the
 * node's manager depend on the port ({@code Journal}, {@code JournalStore} and the records they exchange); nothing but
 * the place that wires a manager together may name {@code FileJournalStore}.
 *
 * <p>A failed append means <em>not promised</em>, never <em>absent</em>: a later replay may still find the record, just
 * as it may find one that was written when the process was killed. Owners therefore treat every replayed intent as one
 * whose effect may have happened.
 *
 * <p>A file of format version 1 is two copies of a 4096-byte header (magic, version, salt, first sequence number, number of
 * snapshot records, node name, boot id, root id, CRC32C) and then records without gaps: marker, length, sequence number,
 * type, CRC32C of that head, payload, CRC32C of the whole; behind the last one zeros hold space. Byte by byte it is at
 * {@code JournalFormat} and in {@code docs/journal-format.md}.
 */
package io.volume4j.core.journal;
