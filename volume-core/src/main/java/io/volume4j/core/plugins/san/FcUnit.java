package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.FcSource;
import java.util.Collections;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A logical unit on Fibre Channel, and udev's names for its disks. The unit's text contains all fields, so teardown
 * needs no other data. Pure.
 *
 * @param ports names of the target's ports, 16 hexadecimal digits each; empty if the unit has its own identifiers
 * @param lun the unit number at the ports; -1 with identifiers
 * @param identifiers of the unit itself; empty with ports
 */
public record FcUnit(NavigableSet<String> ports, int lun, NavigableSet<String> identifiers) {
    private static final Pattern PORT = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+-]{0,127}");
    private static final String LUN = ":lun-";
    private static final String IDENTIFIED = "wwid-";

    public FcUnit {
        ports = Collections.unmodifiableNavigableSet(new TreeSet<>(ports));
        identifiers = Collections.unmodifiableNavigableSet(new TreeSet<>(identifiers));
    }

    public static FcUnit of(FcSource source) {
        Integer lun = source.lun();
        boolean byPorts = !source.targetWwns().isEmpty() && lun != null;
        if (byPorts == !source.wwids().isEmpty()) {
            throw VolumeException.finalFailure("an fc volume needs either targetWWNs and lun, or wwids");
        }
        NavigableSet<String> ports = new TreeSet<>();
        NavigableSet<String> identifiers = new TreeSet<>();
        if (byPorts) {
            source.targetWwns().forEach(each -> ports.add(port(each)));
        } else {
            // In udev's notation.
            source.wwids()
                    .forEach(each -> identifiers.add(identifier(each.strip().replace(' ', '_'))));
        }
        return new FcUnit(ports, byPorts && lun != null ? lun : -1, identifiers);
    }

    /** Parses a result of {@link #toString()}. */
    static FcUnit parse(String volumeName) {
        NavigableSet<String> parts = new TreeSet<>();
        if (volumeName.startsWith(IDENTIFIED)) {
            for (String each : volumeName.substring(IDENTIFIED.length()).split(",", -1)) {
                parts.add(identifier(each));
            }
            return new FcUnit(new TreeSet<>(), -1, parts);
        }
        int at = volumeName.indexOf(LUN);
        if (at < 0 || !volumeName.substring(at + LUN.length()).matches("[0-9]{1,5}")) {
            throw VolumeException.finalFailure("not the name of an fc volume: " + MessageText.text(volumeName));
        }
        for (String each : volumeName.substring(0, at).split(",", -1)) {
            parts.add(port(each));
        }
        return new FcUnit(parts, Integer.parseInt(volumeName.substring(at + LUN.length())), new TreeSet<>());
    }

    private static String port(String text) {
        String name = text.toLowerCase(Locale.ROOT).replace(":", "");
        name = name.startsWith("0x") ? name.substring(2) : name;
        if (!PORT.matcher(name).matches()) {
            throw VolumeException.finalFailure(
                    "target WWN " + MessageText.text(text) + " is not a port's name of 16 hexadecimal digits");
        }
        return name;
    }

    private static String identifier(String text) {
        if (!IDENTIFIER.matcher(text).matches()) {
            throw VolumeException.finalFailure("wwid " + MessageText.text(text) + " is no identifier of a disk");
        }
        return text;
    }

    /** Whether a name in {@code /dev/disk/by-path} is one of this unit's disks: {@code pci-…-fc-0x…-lun-…}. */
    boolean isPath(String name) {
        return ports.stream().anyMatch(port -> {
            String end = "fc-0x" + port + "-lun-";
            return ScsiDisks.numbers(lun).stream().anyMatch(number -> name.endsWith(end + inName(number)));
        });
    }

    /** Whether a name in {@code /dev/disk/by-id} is one of this unit's disks. */
    boolean isIdentifier(String name) {
        return identifiers.stream()
                .anyMatch(each -> name.equals("scsi-" + each) || name.equals("dm-uuid-mpath-" + each));
    }

    /**
     * Whether sysfs has this name for a disk of this unit. {@code naa.…} and {@code eui.…} are {@code 3…} and
     * {@code 2…} in udev, which writes the type of the designator first; SPC-5, 7.7.6.
     */
    boolean isKernelName(String wwid) {
        return identifiers.stream()
                .anyMatch(each -> (each.startsWith("3") && wwid.equals("naa." + each.substring(1)))
                        || (each.startsWith("2") && wwid.equals("eui." + each.substring(1))));
    }

    /** udev's notation of a number that the kernel has for a unit. */
    private static String inName(int number) {
        return number < 256 ? Integer.toString(number) : String.format(Locale.ROOT, "0x%04x000000000000", number);
    }

    @Override
    public String toString() {
        return identifiers.isEmpty() ? String.join(",", ports) + LUN + lun : IDENTIFIED + String.join(",", identifiers);
    }
}
