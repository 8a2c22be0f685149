package io.volume4j.spi.mount;

/**
 * What a tree of files takes of its filesystem.
 *
 * @param bytes of the blocks that are kept for the files, as du(1) counts them: holes take none, a file with several names
 *     counts once
 * @param inodes files, links and directories, the topmost included
 * @since 0.1.0
 */
public record TreeUsage(long bytes, long inodes) {}
