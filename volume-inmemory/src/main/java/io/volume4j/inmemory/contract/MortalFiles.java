package io.volume4j.inmemory.contract;

import io.volume4j.inmemory.contract.MortalBackend.Lifetime;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.HeldPath;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The machine's files as seen by a process that dies before one of its effects. */
record MortalFiles(HostFiles machine, Lifetime lifetime) implements HostFiles {
    @Override
    public void createRoot(Path root) {
        lifetime.change();
        machine.createRoot(root);
    }

    @Override
    public void createDirectory(RootedPath path, int mode) {
        lifetime.change();
        machine.createDirectory(path, mode);
    }

    @Override
    public void removeDirectory(RootedPath path) {
        lifetime.change();
        machine.removeDirectory(path);
    }

    @Override
    public void createSparseFile(RootedPath path, long bytes, int mode) {
        lifetime.change();
        machine.createSparseFile(path, bytes, mode);
    }

    @Override
    public void growFile(RootedPath path, long bytes) {
        lifetime.change();
        machine.growFile(path, bytes);
    }

    @Override
    public boolean renameDirectory(RootedPath from, RootedPath to) {
        lifetime.change();
        return machine.renameDirectory(from, to);
    }

    @Override
    public boolean setQuota(RootedPath directory, long bytes) {
        lifetime.change();
        return machine.setQuota(directory, bytes);
    }

    @Override
    public void removeQuota(RootedPath directory) {
        lifetime.change();
        machine.removeQuota(directory);
    }

    @Override
    public void removeFile(RootedPath path) {
        lifetime.change();
        machine.removeFile(path);
    }

    @Override
    public void writeAtomically(RootedPath path, byte[] content, int mode) {
        lifetime.change();
        machine.writeAtomically(path, content, mode);
    }

    @Override
    public void writeUnsynced(RootedPath path, byte[] content, int mode) {
        lifetime.change();
        machine.writeUnsynced(path, content, mode);
    }

    @Override
    public void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context) {
        lifetime.change();
        machine.copyFile(from, to, mode, onlyShared, context);
    }

    @Override
    public void tellKernel(RootedPath attribute, String text) {
        lifetime.change();
        machine.tellKernel(attribute, text);
    }

    @Override
    public void linkAtomically(RootedPath path, String text) {
        lifetime.change();
        machine.linkAtomically(path, text);
    }

    @Override
    public Optional<String> readLink(RootedPath path) {
        lifetime.look();
        return machine.readLink(path);
    }

    @Override
    public void changeGroup(RootedPath path, long group, int mode) {
        lifetime.change();
        machine.changeGroup(path, group, mode);
    }

    @Override
    public void changeUser(RootedPath path, long user, int mode) {
        lifetime.change();
        machine.changeUser(path, user, mode);
    }

    @Override
    public Optional<Owner> owner(RootedPath path) {
        lifetime.look();
        return machine.owner(path);
    }

    @Override
    public OwnershipReport changeOwnership(RootedPath path, OwnershipChange change, CallContext context) {
        lifetime.change();
        return machine.changeOwnership(path, change, context);
    }

    @Override
    public TreeUsage measure(RootedPath path, CallContext context) {
        lifetime.look();
        return machine.measure(path, context);
    }

    @Override
    public Optional<byte[]> read(RootedPath path, int maxBytes) {
        lifetime.look();
        return machine.read(path, maxBytes);
    }

    @Override
    public Optional<FileStatus> status(RootedPath path) {
        lifetime.look();
        return machine.status(path);
    }

    @Override
    public List<String> list(RootedPath path) {
        lifetime.look();
        return machine.list(path);
    }

    @Override
    public List<String> listRoot(Path root) {
        lifetime.look();
        return machine.listRoot(root);
    }

    @Override
    public void removeTree(RootedPath path, CallContext context) {
        lifetime.change();
        machine.removeTree(path, context);
    }

    @Override
    public Optional<Path> resolve(Path path) {
        lifetime.look();
        return machine.resolve(path);
    }

    @Override
    public Optional<HeldPath> hold(Path path) {
        lifetime.look();
        return machine.hold(path);
    }
}
