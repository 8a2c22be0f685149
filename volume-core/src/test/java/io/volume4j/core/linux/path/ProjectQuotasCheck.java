package io.volume4j.core.linux.path;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Project quotas of real filesystems. Run by {@code .ci/vm/run} in a virtual machine, because many kernels are built without them:
 *
 * <pre>
 *   java … ProjectQuotasCheck &lt;directory without quotas&gt; &lt;mount point with prjquota&gt;...
 * </pre>
 *
 * It prints what it sees and ends with an exception where that is not what it should be.
 */
public final class ProjectQuotasCheck {
    private static final int MIB = 1 << 20;

    /** Neither root nor any right of root: ext4 does not hold {@code CAP_SYS_RESOURCE} to a quota. */
    private static final String USER = "1000";

    private final Kernel kernel = Kernel.load();
    private final HostFiles files;
    private final Path root;

    private ProjectQuotasCheck(HostFiles files, Path root) {
        this.files = files;
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (LinuxMountBackend backend = LinuxMountBackend.create()) {
            ProjectQuotasCheck without = new ProjectQuotasCheck(backend.files(), Path.of(arguments[0]));
            require(!without.files.setQuota(without.directory("none"), MIB), "no quota where there are none");
            without.files.removeQuota(without.path("none"));
            for (int i = 1; i < arguments.length; i++) {
                ProjectQuotasCheck check = new ProjectQuotasCheck(backend.files(), Path.of(arguments[i]));
                System.out.println("project quotas of " + arguments[i]);
                check.limits();
                check.leavesOthersAlone();
                check.takesANumberThatIsFree();
                check.leavesNothing();
            }
        }
    }

    private void limits() throws IOException, InterruptedException {
        RootedPath held = directory("held");
        require(files.setQuota(held, MIB), "a quota is set");
        write(held, "first", 600 << 10, true);
        write(held, "second", 600 << 10, false);
        require(files.setQuota(held, 4 * MIB), "a quota is raised");
        write(held, "second", 600 << 10, true);
        files.removeQuota(held);
        files.removeQuota(held);
        write(held, "third", 8 * MIB, true);
    }

    private void leavesOthersAlone() throws IOException, InterruptedException {
        RootedPath full = directory("full");
        write(full, "file", 4 << 10, true);
        require(!files.setQuota(full, MIB), "a directory with files gets no quota");

        RootedPath outer = directory("outer");
        require(files.setQuota(outer, MIB), "the outer directory gets a quota");
        RootedPath inner = directory("outer/inner");
        require(!files.setQuota(inner, 16 * MIB), "a directory in it gets none of its own");
        files.removeQuota(inner);
        write(inner, "file", 2 * MIB, false);

        RootedPath held = directory("held-by-another");
        require(files.setQuota(held, MIB), "another directory gets a quota");
        RootedPath liar = directory("liar");
        number(liar, number(held));
        files.removeQuota(liar);
        write(held, "file", 2 * MIB, false);

        RootedPath theirs = directory("theirs");
        number(theirs, 4711);
        require(!files.setQuota(theirs, MIB), "a directory with a number of another owner keeps it");
        require(number(theirs) == 4711, "the number is as before");
    }

    private void takesANumberThatIsFree() throws IOException, InterruptedException {
        RootedPath second = directory("second");
        int wanted = ProjectQuotas.candidate(second, 0);
        RootedPath first = directory("first");
        number(first, wanted);

        require(files.setQuota(second, MIB), "a quota is set although its first number is taken");
        require(number(second) == ProjectQuotas.candidate(second, 1), "it has the next number");
        write(first, "file", 2 * MIB, true);
        write(second, "file", 600 << 10, true);
    }

    /** XFS counts a removed directory for a moment longer, so its number may be taken for used; a limit it must not have. */
    private void leavesNothing() {
        RootedPath gone = directory("gone");
        require(files.setQuota(gone, MIB), "a quota is set");
        int number = number(gone);
        require(limit(number) == MIB, "its limit is there");
        files.removeQuota(gone);
        files.removeDirectory(gone);
        require(limit(number) == 0, "no limit is left");
        require(files.setQuota(directory("gone"), MIB), "a quota is set for the same path");
    }

    /** In bytes, 0 for none. */
    private long limit(int number) {
        byte[] quota = new byte[72];
        try (Descriptor top = kernel.open(root, Kernel.O_RDONLY)) {
            kernel.projectQuota(top, 0x800007, number, quota);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return 0;
            }
            throw e;
        }
        return 1024 * view(quota).getLong(0);
    }

    private RootedPath path(String name) {
        return RootedPath.of(root, name);
    }

    private RootedPath directory(String name) {
        files.createDirectory(path(name), 0777);
        return path(name);
    }

    private int number(RootedPath directory) {
        return view(attributes(directory)).getInt(12);
    }

    private void number(RootedPath directory, int number) {
        byte[] attributes = attributes(directory);
        view(attributes).putInt(0, 0x200).putInt(12, number);
        try (Descriptor file = kernel.open(directory.absolute(), Kernel.O_RDONLY)) {
            kernel.control(file, IoctlRequest.FS_IOC_FSSETXATTR, attributes);
        }
    }

    private byte[] attributes(RootedPath directory) {
        byte[] attributes = new byte[28];
        try (Descriptor file = kernel.open(directory.absolute(), Kernel.O_RDONLY)) {
            kernel.control(file, IoctlRequest.FS_IOC_FSGETXATTR, attributes);
        }
        return attributes;
    }

    private static ByteBuffer view(byte[] structure) {
        return ByteBuffer.wrap(structure).order(ByteOrder.nativeOrder());
    }

    private static void write(RootedPath directory, String name, int bytes, boolean fits)
            throws IOException, InterruptedException {
        Process dd = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + USER,
                        "--clear-groups",
                        "--bounding-set=-all",
                        "dd",
                        "if=/dev/zero",
                        "of=" + directory.absolute().resolve(name),
                        "bs=4096",
                        "count=" + bytes / 4096,
                        "conv=fsync")
                .redirectErrorStream(true)
                .start();
        String said = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = dd.waitFor();
        boolean refused = said.contains("quota exceeded") || said.contains("No space left");
        require(
                fits ? exit == 0 : exit != 0 && refused,
                bytes + " bytes fit in " + directory + ": " + fits + "; " + said);
    }

    private static void require(boolean condition, String what) {
        System.out.println(
                (condition ? "ok: " : "NOT: ") + what.lines().findFirst().orElse(""));
        if (!condition) {
            throw VolumeException.finalFailure("not so: " + what);
        }
    }
}
