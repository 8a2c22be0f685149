package io.volume4j.core.linux;

import io.volume4j.core.linux.sys.Capability;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.linux.tool.FilesystemTools;
import io.volume4j.core.linux.tool.Tools;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Detects the rights of this process and the features of this machine from the kernel's files. Does not access
 * storage.
 */
final class HostAbilities {
    private static final Path FILESYSTEMS = Path.of("/proc/filesystems");
    private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");
    private static final Path MODULES = Path.of("/lib/modules");

    private final Kernel kernel;
    private final MountCalls calls;
    private final Tools tools;

    HostAbilities(Kernel kernel, MountCalls calls, Tools tools) {
        this.kernel = kernel;
        this.calls = calls;
        this.tools = tools;
    }

    Abilities find() {
        String reason = whyNoMount();
        SortedSet<String> formats = new TreeSet<>();
        for (FilesystemTools each : FilesystemTools.values()) {
            if (tools.find(each.mkfs()).isPresent()) {
                formats.add(each.type());
            }
        }
        return new Abilities(reason.isEmpty(), reason, filesystems(), formats);
    }

    private String whyNoMount() {
        return Capability.CAP_SYS_ADMIN.isEffective()
                ? whyKernelRefuses()
                : "this process lacks CAP_SYS_ADMIN; run as root";
    }

    /**
     * The capability counts only in the process's own user namespace, and a container's seccomp filter may still
     * refuse.
     */
    private String whyKernelRefuses() {
        if (!kernel.features().mountApi()) {
            return "";
        }
        try {
            calls.cloneTree(Path.of("/"), false).close();
            return "";
        } catch (SyscallException e) {
            return "the kernel refuses although this process has CAP_SYS_ADMIN: " + e.text()
                    + "; in a container, let it be privileged";
        }
    }

    private SortedSet<String> filesystems() {
        SortedSet<String> names = new TreeSet<>();
        for (String line : lines(FILESYSTEMS)) {
            names.add(line.substring(line.lastIndexOf('\t') + 1).trim());
        }
        // Filesystems whose modules mount(2) would load. modprobe(8) finds them by these aliases.
        for (String release : lines(RELEASE)) {
            Path aliases = MODULES.resolve(release.trim()).resolve("modules.alias");
            if (Files.isReadable(aliases)) {
                for (String line : lines(aliases)) {
                    if (line.startsWith("alias fs-")) {
                        names.add(line.substring("alias fs-".length()).split(" ")[0]);
                    }
                }
            }
        }
        names.remove("");
        return names;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot read " + file + ": " + e.getMessage());
        }
    }
}
