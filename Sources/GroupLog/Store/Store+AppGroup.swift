#if canImport(Darwin)
    import Foundation

    extension Store {
        /// Opens the store `name.grouplog` in the container of an app group, which an app and its
        /// extensions share, as ``init(path:options:)`` does.
        ///
        /// On iOS a process that is not in the group gets an error at once. On macOS the container's
        /// path is given for any name, so that the error may come from making the store there.
        ///
        /// Like all code for Apple's systems in this package, it was written by their documentation
        /// and has not been run.
        ///
        /// - Parameters:
        ///   - appGroup: the group as it stands in the target's App Groups entitlement.
        ///   - name: a file name without an ending.
        /// - Throws: `StoreError`, with the code ``StoreError/Code/permission`` where the process is
        ///   not in the group, and ``StoreError/Code/invalidValue`` where the name is no file name.
        public convenience init(
            appGroup: String, name: String, options: StoreOptions = StoreOptions()
        ) throws {
            guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else {
                throw StoreError(.invalidValue, "'\(name)' is not the name of a file")
            }
            guard
                let container = FileManager.default.containerURL(
                    forSecurityApplicationGroupIdentifier: appGroup)
            else {
                throw StoreError(
                    .permission,
                    "this process is not in the app group '\(appGroup)': add the group to its "
                        + "target's App Groups")
            }
            try self.init(path: container.path + "/" + name + ".grouplog", options: options)
        }
    }
#endif
