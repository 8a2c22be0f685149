package io.volume4j.inmemory.node;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;

/** What says at each mount what it is. */
final class MetadataFiles {
    private MetadataFiles() {}
    /** They are the only files with content. */
    static void tearUp(InMemoryMountBackend machine, RootedPath directory) {
        for (String name : machine.files().list(directory)) {
            RootedPath path = directory.resolve(name);
            FileStatus.Type type =
                    machine.files().status(path).map(FileStatus::type).orElseThrow();
            if (type == FileStatus.Type.FILE) {
                machine.files().removeFile(path);
            } else if (machine.table().at(path.absolute()).isEmpty()) {
                tearUp(machine, path);
            }
        }
    }
}
