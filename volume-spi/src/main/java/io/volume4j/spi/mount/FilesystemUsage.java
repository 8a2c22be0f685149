package io.volume4j.spi.mount;

/** Bytes and inodes of a filesystem; statfs(2). */
public record FilesystemUsage(
        long totalBytes, long availableBytes, long usedBytes, long totalInodes, long availableInodes) {}
