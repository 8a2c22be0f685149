package io.volume4j.spi.mount;

/**
 * Bytes and inodes of a filesystem; statfs(2).
 *
 * @param totalInodes 0 for a filesystem that creates inodes as needed
 * @since 0.1.0
 */
public record FilesystemUsage(
        long totalBytes, long availableBytes, long usedBytes, long totalInodes, long availableInodes) {}
