package io.volume4j.spi.mount;

/**
 * What came of a walk that gave files to a group.
 *
 * @param examined files and directories that were looked at
 * @param changed those that had another group or lacked bits, and no longer do
 * @param refused those that the filesystem would not change, and that are as they were
 * @param firstRefusal the first of these and why, {@code ""} if there was none
 * @since 0.1.0
 */
public record OwnershipReport(long examined, long changed, long refused, String firstRefusal) {}
