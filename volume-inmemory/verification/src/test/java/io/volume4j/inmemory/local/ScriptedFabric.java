package io.volume4j.inmemory.local;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A Fibre Channel fabric with two adapters: units appear when an adapter is told to scan, and not before. */
final class ScriptedFabric {
    private static final Path PCI = Path.of("/sys/devices/pci0000:00");

    final ScsiBus bus;
    private final Map<String, String> units = new LinkedHashMap<>();
    private final List<String> shown = new ArrayList<>();
    /** The adapters refuse larger numbers, as those whose driver has a small {@code max_lun}. */
    int largestNumber = Integer.MAX_VALUE;

    ScriptedFabric(InMemoryMountBackend machine, String... adapters) {
        bus = new ScsiBus(machine);
        for (String adapter : adapters) {
            machine.user().makeDirectory(Path.of("/sys/class/fc_host", adapter));
            bus.host(adapter, this::scanned);
        }
    }

    /** A unit behind a port, by the number that the kernel shows. */
    void unit(String port, int lun, String wwid) {
        bus.storage(wwid, 1L << 30);
        units.put(port + " " + lun, wwid);
    }

    /** udev's notation. */
    private static String inName(int number) {
        return number < 256 ? Integer.toString(number) : String.format("0x%04x000000000000", number);
    }

    /** Each adapter shows the units of every second port: two adapters, two ways. */
    private void scanned(String adapter, String wanted) {
        if (!wanted.equals("-") && Integer.parseInt(wanted) > largestNumber) {
            throw VolumeException.finalFailure("write scan of " + adapter + ": EINVAL (invalid argument)");
        }
        shown.removeIf(way -> bus.disks().stream().noneMatch(disk -> way.endsWith(" " + disk)));
        int target = 0;
        for (Map.Entry<String, String> unit : units.entrySet()) {
            String[] place = unit.getKey().split(" ", -1);
            String way = adapter + " " + unit.getKey() + " ";
            boolean asked = wanted.equals("-") || wanted.equals(place[1]);
            if (asked && shown.stream().noneMatch(each -> each.startsWith(way))) {
                String number = adapter.substring("host".length());
                Path at = PCI.resolve(adapter)
                        .resolve("rport-" + number + ":0-" + target)
                        .resolve("target" + number + ":0:" + target)
                        .resolve(number + ":0:" + target + ":" + place[1]);
                String name =
                        "pci-0000:00:0" + number + ".0-fc-0x" + place[0] + "-lun-" + inName(Integer.parseInt(place[1]));
                shown.add(way + bus.appear(at, unit.getValue(), name));
            }
            target++;
        }
    }
}
