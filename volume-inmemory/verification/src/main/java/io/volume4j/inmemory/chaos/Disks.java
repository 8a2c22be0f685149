package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.mount.DeviceContent;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The disks of claims' volumes, in worlds with disks, and the actions of others on them. */
final class Disks {
    /** A kind of foreign data: outside of the places for signatures of a filesystem or a volume manager. */
    static final String HIDDEN = "hidden";

    private final Traits traits;
    private final Simulation world;
    /** Claims whose disks have foreign data. */
    private final Set<String> foreign = new LinkedHashSet<>();

    Disks(Traits traits, Simulation world) {
        this.traits = traits;
        this.world = world;
    }

    private static Path disk(String claim) {
        return Path.of("/dev/mem/h-" + claim);
    }

    private void machines(Consumer<InMemoryMountBackend> action) {
        world.nodes().forEach(node -> node.machine().ifPresent(action));
    }

    void add(String claim, long bytes) {
        if (traits.disks()) {
            machines(machine -> machine.addDisk(disk(claim), "serial-" + claim, bytes));
        }
    }

    /** Another user writes data to a disk that was never formatted: {@code hidden} is data without a signature. */
    void foreignData(String claim, String kind) {
        if (traits.disks() && blank(claim)) {
            world.tell("another client's data is on the disk of " + claim);
            machines(machine -> {
                if (kind.equals(HIDDEN)) {
                    machine.putHidden(disk(claim));
                } else {
                    machine.putForeign(disk(claim), kind);
                }
            });
            foreign.add(claim);
        }
    }

    /** Whether the disk is blank, and no process is about to format it. */
    private boolean blank(String claim) {
        if (world.oracle().holdings().stream().anyMatch(held -> held.contains(" h-" + claim + " "))) {
            return false;
        }
        boolean[] blank = {false};
        machines(machine -> blank[0] = machine.content(disk(claim)).kind() == DeviceContent.Kind.BLANK);
        return blank[0];
    }

    void unreadable(String claim, boolean value) {
        if (traits.disks()) {
            world.tell("the disk of " + claim + (value ? " cannot be read" : " can be read"));
            machines(machine -> machine.setUnreadable(disk(claim), value));
        }
    }

    /** A person erases disks that the library must not touch. */
    void empty(List<String> claims) {
        for (String claim : traits.disks() ? claims : List.<String>of()) {
            if (foreign.remove(claim) || world.oracle().needsPerson(disk(claim).toString())) {
                world.tell("a person empties the disk of " + claim);
                machines(machine -> machine.putNothing(disk(claim)));
                world.oracle().diskReset(disk(claim).toString());
            }
        }
    }
}
