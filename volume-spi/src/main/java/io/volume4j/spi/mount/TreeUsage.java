package io.volume4j.spi.mount;

/**
 * The space that a directory tree uses in its filesystem.
 *
 * @param bytes bytes of the blocks that are allocated for the files, as du(1) counts them: holes count nothing, a
 *     file with several names counts once
 * @param inodes number of files, links and directories, including the topmost directory
 * @since 0.1.0
 */
public record TreeUsage(long bytes, long inodes) {}
