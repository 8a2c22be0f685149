package io.volume4j.core.linux.tool;

import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The command lines for the filesystems that the library makes, checks and expands. Operands come after {@code --}, so
 * that no operand can be read as an option.
 */
public enum FilesystemTools {
    EXT2("e2fsprogs"),
    EXT3("e2fsprogs"),
    EXT4("e2fsprogs"),
    XFS("xfsprogs"),
    BTRFS("btrfs-progs");

    private final String distributionPackage;

    FilesystemTools(String distributionPackage) {
        this.distributionPackage = distributionPackage;
    }

    /** One tool with its arguments. */
    public record Command(Path tool, List<String> arguments) {}

    /** The tools of a filesystem, empty if the library does not know them. */
    public static Optional<FilesystemTools> known(String fsType) {
        return Arrays.stream(values())
                .filter(each -> each.type().equals(fsType))
                .findFirst();
    }

    /** The tools to create a filesystem. */
    public static FilesystemTools toMake(String fsType) {
        return known(fsType)
                .orElseThrow(() -> VolumeException.finalFailure(
                                "the library does not know how to make the filesystem \"" + fsType + "\"")
                        .withAdvice("use ext4, xfs or btrfs, or put the filesystem on the device by hand"));
    }

    public String type() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String mkfs() {
        return "mkfs." + type();
    }

    String distributionPackage() {
        return distributionPackage;
    }

    private boolean isExt() {
        return this == EXT2 || this == EXT3 || this == EXT4;
    }

    /** Creates without a confirmation: the caller has proved that the device may be overwritten. */
    public Command make(Tools tools, Path device, List<String> options) {
        List<String> arguments = new ArrayList<>();
        if (isExt()) {
            // No blocks are reserved for root: a data volume is not needed to repair the machine.
            arguments.addAll(List.of("-F", "-q", "-m", "0"));
        } else {
            arguments.addAll(List.of("-f", "-q"));
        }
        arguments.addAll(options);
        arguments.addAll(List.of("--", device.toString()));
        return new Command(tools.require(mkfs(), distributionPackage), arguments);
    }

    /** Whether it is checked before a mount; the others check themselves at the mount. */
    public boolean isChecked() {
        return isExt();
    }

    /** Makes only repairs that are safe without a confirmation. */
    public Command check(Tools tools, Path device) {
        return new Command(
                tools.require("fsck." + type(), distributionPackage), List.of("-p", "--", device.toString()));
    }

    /** The check that resize2fs requires before it expands an unmounted filesystem. */
    public Command checkFully(Tools tools, Path device) {
        return new Command(
                tools.require("fsck." + type(), distributionPackage), List.of("-f", "-p", "--", device.toString()));
    }

    /** Whether it can be expanded only while it is mounted. */
    public boolean growsOnlyMounted() {
        return !isExt();
    }

    public Command grow(Tools tools, Path device, Path mountPoint) {
        switch (this) {
            case XFS:
                return new Command(
                        tools.require("xfs_growfs", distributionPackage), List.of("-d", "--", mountPoint.toString()));
            case BTRFS:
                return new Command(
                        tools.require("btrfs", distributionPackage),
                        List.of("filesystem", "resize", "--", "max", mountPoint.toString()));
            case EXT2:
            case EXT3:
            case EXT4:
                return new Command(tools.require("resize2fs", distributionPackage), List.of("--", device.toString()));
        }
        throw new AssertionError(this);
    }
}
