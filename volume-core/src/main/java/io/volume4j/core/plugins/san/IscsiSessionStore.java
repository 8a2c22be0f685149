package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.Digests;
import io.volume4j.core.plugins.common.JsonFields;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The sessions of each volume on this node, and whether the library began them. Logouts use these as reference counts.
 * There is one file for each volume, durable before the first login and removed after the last logout. It contains no
 * secrets. Callers hold the target's lock.
 */
public final class IscsiSessionStore {
    /** The name of the plugin, whose directory contains the files. */
    public static final String PLUGIN = "kubernetes.io/iscsi";

    private static final int LARGEST = 64 * 1024;
    private static final String SUFFIX = ".json";

    private final HostFiles files;
    private final Path root;
    private final RootedPath directory;

    IscsiSessionStore(PluginHost host, MountBackend backend) {
        this.files = backend.files();
        Path own = host.root().relativize(host.pluginDirectory(PLUGIN));
        this.directory = new RootedPath(host.root(), own.resolve("volumes"));
        this.root = host.root();
    }

    /**
     * The sessions and records of one volume.
     *
     * @param sessions portals to which the library began the session, for this volume or for another one
     * @param records portals of which the library created open-iscsi's record
     */
    record Share(IscsiTarget.Unit unit, String iface, Set<IscsiPortal> sessions, Set<IscsiPortal> records) {
        Share {
            sessions = new LinkedHashSet<>(sessions);
            records = new LinkedHashSet<>(records);
        }

        boolean isOf(String target, String otherIface) {
            return unit.target().equals(target) && iface.equals(otherIface);
        }
    }

    Optional<Share> find(IscsiTarget.Unit unit) {
        return read(file(unit));
    }

    /** The entries of other volumes of the same target with the same interface. */
    List<Share> others(IscsiTarget.Unit unit, String iface) {
        return all().stream()
                .filter(share ->
                        share.isOf(unit.target(), iface) && !share.unit().equals(unit))
                .toList();
    }

    /** Whether another volume uses the interface. */
    boolean isUsedByOthers(IscsiTarget.Unit unit, String iface) {
        return all().stream()
                .anyMatch(share -> share.iface().equals(iface) && !share.unit().equals(unit));
    }

    void write(Share share) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("volume", share.unit().toString());
        fields.put("interface", share.iface());
        fields.put("sessions", written(share.sessions()));
        fields.put("records", written(share.records()));
        files.createRoot(root);
        files.createDirectory(directory, 0700);
        files.writeAtomically(file(share.unit()), JsonFields.write(fields).getBytes(StandardCharsets.UTF_8), 0600);
    }

    void remove(IscsiTarget.Unit unit) {
        files.removeFile(file(unit));
    }

    private List<Share> all() {
        List<Share> shares = new ArrayList<>();
        for (String name : files.list(directory)) {
            if (name.endsWith(SUFFIX)) {
                read(directory.resolve(name)).ifPresent(shares::add);
            }
        }
        return shares;
    }

    /**
     * Reads a file. An unreadable file is an error: without it, the library might end a session that another volume
     * needs.
     */
    private Optional<Share> read(RootedPath file) {
        return files.read(file, LARGEST)
                .map(bytes -> JsonFields.read(bytes)
                        .map(IscsiSessionStore::parse)
                        .orElseThrow(() -> VolumeException.finalFailure(file + " is damaged")
                                .withAdvice(
                                        "log out of the target by hand if no volume uses it, then remove the file")));
    }

    private static Share parse(Map<String, String> fields) {
        return new Share(
                IscsiTarget.Unit.parse(fields.getOrDefault("volume", "")),
                fields.getOrDefault("interface", ""),
                portals(fields.getOrDefault("sessions", "")),
                portals(fields.getOrDefault("records", "")));
    }

    private static String written(Set<IscsiPortal> portals) {
        return portals.stream().map(IscsiPortal::toString).collect(Collectors.joining(" "));
    }

    private static Set<IscsiPortal> portals(String text) {
        Set<IscsiPortal> portals = new LinkedHashSet<>();
        for (String each : text.split(" ", -1)) {
            if (!each.isEmpty()) {
                portals.add(IscsiPortal.parse(each));
            }
        }
        return portals;
    }

    private RootedPath file(IscsiTarget.Unit unit) {
        return directory.resolve(Digests.text(unit.toString()) + SUFFIX);
    }
}
