package io.volume4j.inmemory.local;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Disks of a SCSI subsystem on a machine in memory, as sysfs and udev show them, and a multipathd that joins them if it is
 * told to. Storage keeps its data while no way leads to it.
 */
final class ScsiBus {
    static final Path DEV = Path.of("/dev");
    static final Path SYS_BLOCK = Path.of("/sys/block");
    private static final Path BY_PATH = Path.of("/dev/disk/by-path");
    private static final Path BY_ID = Path.of("/dev/disk/by-id");

    final List<String> told = new ArrayList<>();
    final List<List<String>> multipathCalls = new ArrayList<>();
    final InMemoryMountBackend machine;
    private final Map<String, Way> ways = new LinkedHashMap<>();
    private final Map<String, String> maps = new LinkedHashMap<>();
    private final List<String> storages = new ArrayList<>();
    private boolean joins;
    private int letters;
    private int numbers;

    private record Way(Path place, String storage, List<Path> links) {}

    ScsiBus(InMemoryMountBackend machine) {
        this.machine = machine;
        machine.user().makeDirectory(SYS_BLOCK);
        machine.user().makeDirectory(DEV);
        machine.user().makeDirectory(BY_PATH);
        machine.user().makeDirectory(BY_ID);
    }

    /** A unit of some storage, by its identifier. */
    void storage(String wwid, long bytes) {
        if (!storages.contains(wwid)) {
            storages.add(wwid);
            machine.addDisk(Path.of("/storage", wwid), "serial of " + wwid, bytes);
        }
    }

    /** From now on several ways to one storage become one device. */
    void startMultipath() {
        joins = true;
        machine.user().makeDirectory(Path.of("/sys/module/dm_multipath"));
        machine.install(Path.of("/usr/sbin/multipath"), this::multipath);
    }

    /** A host whose scan is told to look for units. */
    void host(String name, BiConsumer<String, String> whenScanned) {
        Path scan = Path.of("/sys/class/scsi_host", name, "scan");
        write(scan, "");
        machine.attribute(scan, text -> {
            told.add(name + " scan " + text);
            whenScanned.accept(name, text.substring(text.lastIndexOf(' ') + 1));
        });
    }

    /**
     * A disk appears.
     *
     * @param unit its place in sysfs, {@code …/2:0:0:1}
     * @param pathName its name in {@code /dev/disk/by-path}
     */
    String appear(Path unit, String storage, String pathName) {
        String disk = "sd" + (char) ('b' + letters++);
        machine.addWay(DEV.resolve(disk), Path.of("/storage", storage));
        Path place = unit.resolve("block").resolve(disk);
        write(unit.resolve("wwid"), storage + "\n");
        write(unit.resolve("delete"), "");
        write(place.resolve("dev"), "8:" + 16 * letters + "\n");
        machine.user().makeDirectory(place.resolve("holders"));
        machine.attribute(unit.resolve("delete"), text -> {
            told.add(disk + " delete " + text);
            vanish(disk);
        });
        Path byPath = BY_PATH.resolve(pathName);
        Path byId = BY_ID.resolve("scsi-" + storage);
        link(place.resolve("device"), unit);
        link(SYS_BLOCK.resolve(disk), place);
        link(byPath, DEV.resolve(disk));
        link(byId, DEV.resolve(disk));
        ways.put(disk, new Way(place, storage, List.of(byPath, byId)));
        if (joins) {
            join(storage);
        }
        return disk;
    }

    /** Disks that a way of that place leads to go. */
    void vanishBelow(Path place) {
        for (String disk : List.copyOf(ways.keySet())) {
            if (way(disk).place().startsWith(place)) {
                vanish(disk);
            }
        }
    }

    /** A disk goes, and multipathd has not heard of it yet: its map still names it. */
    void loseWay(String disk) {
        String storage = way(disk).storage();
        vanish(disk);
        maps.forEach((map, joined) -> {
            if (joined.equals(storage)) {
                machine.user()
                        .makeDirectory(SYS_BLOCK.resolve(map).resolve("slaves").resolve(disk));
            }
        });
    }

    /** What sysfs shows is gone when the machine goes down. */
    void reboot() {
        disks().forEach(this::vanish);
        List.copyOf(maps.keySet()).forEach(this::removeMap);
    }

    List<String> disks() {
        return List.copyOf(ways.keySet());
    }

    private Way way(String disk) {
        Way found = ways.get(disk);
        if (found == null) {
            throw new IllegalStateException("no disk " + disk);
        }
        return found;
    }

    private void vanish(String disk) {
        Way way = way(disk);
        ways.remove(disk);
        maps.forEach((map, storage) -> {
            if (storage.equals(way.storage())) {
                machine.user().remove(SYS_BLOCK.resolve(map).resolve("slaves").resolve(disk));
            }
        });
        machine.removeDisk(DEV.resolve(disk));
        machine.user().remove(SYS_BLOCK.resolve(disk));
        way.links().stream()
                .filter(link -> machine.user()
                        .list(parent(link))
                        .contains(link.getFileName().toString()))
                .forEach(machine.user()::remove);
        machine.user().remove(unit(way.place()));
    }

    private static Path unit(Path place) {
        return parent(parent(place));
    }

    private void join(String storage) {
        String map = maps.entrySet().stream()
                .filter(each -> each.getValue().equals(storage))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> makeMap(storage));
        ways.forEach((disk, way) -> {
            if (way.storage().equals(storage)) {
                machine.user()
                        .makeDirectory(SYS_BLOCK.resolve(map).resolve("slaves").resolve(disk));
                machine.user().makeDirectory(way.place().resolve("holders").resolve(map));
            }
        });
    }

    private String makeMap(String storage) {
        String map = "dm-" + numbers++;
        maps.put(map, storage);
        machine.addWay(DEV.resolve(map), Path.of("/storage", storage));
        write(SYS_BLOCK.resolve(map).resolve("dm/uuid"), "mpath-" + storage + "\n");
        write(SYS_BLOCK.resolve(map).resolve("dev"), "254:" + numbers + "\n");
        machine.user().makeDirectory(SYS_BLOCK.resolve(map).resolve("holders"));
        return map;
    }

    private Outcome multipath(Command command) {
        multipathCalls.add(command.arguments());
        String map = Path.of(command.arguments().get(2)).getFileName().toString();
        if (!maps.containsKey(map)) {
            return new Outcome(Ending.EXITED, 1, map + " is not a multipath device", false);
        }
        removeMap(map);
        return new Outcome(Ending.EXITED, 0, "", false);
    }

    private void removeMap(String map) {
        String storage = maps.remove(map);
        ways.values().stream()
                .filter(way -> way.storage().equals(storage))
                .forEach(way ->
                        machine.user().remove(way.place().resolve("holders").resolve(map)));
        machine.removeDisk(DEV.resolve(map));
        machine.user().remove(SYS_BLOCK.resolve(map));
    }

    void write(Path file, String text) {
        machine.user().makeDirectory(parent(file));
        machine.user().write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private void link(Path link, Path target) {
        machine.user().makeDirectory(parent(link));
        machine.user().link(link, target.toString());
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent(), "the root has no parent");
    }
}
