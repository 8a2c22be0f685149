package io.volume4j.spi.mount;

/**
 * The result of a change of ownership.
 *
 * @param examined number of files and directories that the walk examined
 * @param changed number of those that the walk changed
 * @param refused number of those that the filesystem refused to change; they are as before
 * @param firstRefusal the first refused file and the reason, {@code ""} if there was none
 * @since 0.1.0
 */
public record OwnershipReport(long examined, long changed, long refused, String firstRefusal) {}
