package io.volume4j.core.linux.sys;

import io.volume4j.spi.VolumeException;
import java.util.Locale;

/**
 * The numbers of Linux that differ between processors: system calls older than 5.0 and a few flags of open(2). Newer
 * calls have the same number on all processors. From {@code arch/ARCH/include/uapi/asm/{unistd,fcntl}.h} of the
 * kernel.
 */
public enum Architecture {
    X86_64(332, 217, 316, 300, 301, 0x10000, 0x20000, 0x4000),
    AARCH64(291, 61, 276, 262, 263, 0x4000, 0x8000, 0x10000),
    RISCV64(291, 61, 276, 262, 263, 0x10000, 0x20000, 0x4000);

    final long statx;
    final long getdents64;
    final long renameat2;
    final long fanotifyInit;
    final long fanotifyMark;
    public final int openDirectory;
    public final int openNoFollow;
    public final int openDirect;

    Architecture(
            long statx,
            long getdents64,
            long renameat2,
            long fanotifyInit,
            long fanotifyMark,
            int openDirectory,
            int openNoFollow,
            int openDirect) {
        this.statx = statx;
        this.getdents64 = getdents64;
        this.renameat2 = renameat2;
        this.fanotifyInit = fanotifyInit;
        this.fanotifyMark = fanotifyMark;
        this.openDirectory = openDirectory;
        this.openNoFollow = openNoFollow;
        this.openDirect = openDirect;
    }

    /** The architecture for the system properties {@code os.name} and {@code os.arch}. */
    public static Architecture of(String osName, String osArch) {
        if (osName.equals("Linux")) {
            switch (osArch.toLowerCase(Locale.ROOT)) {
                case "amd64":
                case "x86_64":
                    return X86_64;
                case "aarch64":
                    return AARCH64;
                case "riscv64":
                    return RISCV64;
                default:
                    break;
            }
        }
        throw VolumeException.finalFailure("the Linux mount backend does not know " + osName + " on " + osArch)
                .withAdvice(
                        "run on 64-bit Linux (amd64, aarch64 or riscv64), or give the library another MountBackend");
    }
}
