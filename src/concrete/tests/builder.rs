//! A small builder of programs.

use crate::base::{SourceMap, Span};
use crate::concrete::{Defaults, InputSource, Limits, Outcome, Run, Value, run};
use crate::ir::program::CallSite;
use crate::ir::*;

/// A program under construction, and the function that statements are added to.
pub struct Builder {
    pub program: Program,
    pub function: FuncId,
    pub block: BlockId,
    pub int: TypeId,
    pub uchar: TypeId,
    pub long: TypeId,
    pub size: TypeId,
    pub ptr: TypeId,
}

impl Builder {
    /// A program with an empty `int f(void)`.
    pub fn new() -> Builder {
        Builder::with(DataModel::Lp64)
    }
    pub fn with(model: DataModel) -> Builder {
        let types = TypeTable::new(model);
        let (int, uchar, long) = (types.int(IntKind::Int), types.int(IntKind::UChar), types.int(IntKind::Long));
        let (size, ptr) = (types.size_type(), types.void_ptr());
        let program = Program::new(types, SourceMap::default());
        let mut b = Builder { program, function: FuncId(0), block: BlockId(0), int, uchar, long, size, ptr };
        b.function("f", int, &[]);
        b
    }
    /// Starts a function with parameters of the types; returns its id and its parameters.
    pub fn function(&mut self, name: &str, result: TypeId, params: &[TypeId]) -> (FuncId, Vec<VarId>) {
        let ty = self.program.types.intern(Type::Function(FnType {
            result,
            params: params.to_vec(),
            variadic: false,
            prototyped: true,
        }));
        let id = self.program.functions.push(Function {
            name: name.into(),
            ty,
            linkage: Linkage::External,
            span: Span::NONE,
            params: vec![],
            locals: vec![],
            blocks: [Block { stmts: vec![], terminator: Terminator::Unreachable, span: Span::NONE, keyword: None }]
                .into_iter()
                .collect(),
            noreturn: false,
            failed: None,
            undeclared: false,
            system: false,
            library: false,
        });
        self.function = id;
        self.block = BlockId(0);
        let params: Vec<VarId> =
            params.iter().enumerate().map(|(i, t)| self.variable(*t, Storage::Param(id, i as u32))).collect();
        self.program.functions[id].params = params.clone();
        (id, params)
    }
    pub fn variable(&mut self, ty: TypeId, storage: Storage) -> VarId {
        let size = self.program.types.size_of(ty).unwrap();
        let id = self.program.variables.push(Variable {
            name: format!("x{}", self.program.variables.len()),
            ty,
            storage,
            span: Span::NONE,
            size,
            constant: if storage == Storage::Literal { ConstantBytes::All } else { ConstantBytes::None },
            defined: true,
            system: false,
            init: vec![],
            address_taken: false,
        });
        if let Storage::Local(f) | Storage::Temp(f) = storage {
            self.program.functions[f].locals.push(id);
        }
        id
    }
    pub fn local(&mut self, ty: TypeId) -> VarId {
        self.variable(ty, Storage::Local(self.function))
    }
    pub fn global(&mut self, ty: TypeId) -> VarId {
        self.variable(ty, Storage::Global(Linkage::External))
    }
    pub fn place(&self, var: VarId) -> Place {
        Place::var(var, self.program.variables[var].ty)
    }
    pub fn get(&self, var: VarId) -> Expr {
        Expr::load(self.place(var))
    }
    pub fn num(&self, v: i128) -> Expr {
        Expr::int(v, self.int)
    }
    pub fn length(&self, v: i128) -> Expr {
        Expr::int(v, self.size)
    }
    pub fn addr(&self, var: VarId, offset: i64) -> Expr {
        Expr { kind: ExprKind::AddrOf(var, offset), ty: self.ptr }
    }
    pub fn stmt(&mut self, kind: StmtKind) {
        self.program.functions[self.function].blocks[self.block].stmts.push(Stmt { kind, span: Span::NONE });
    }
    pub fn set(&mut self, var: VarId, value: Expr) {
        let place = self.place(var);
        self.stmt(StmtKind::Assign { place, value });
    }
    pub fn assign(&mut self, place: Place, value: Expr) {
        self.stmt(StmtKind::Assign { place, value });
    }
    pub fn check(&mut self, check: Check) {
        self.stmt(StmtKind::Check(Box::new(check)));
    }
    pub fn site(&mut self, kind: CheckKind) -> SiteId {
        self.program.sites.push(CheckSite { kind, function: self.function, span: Span::NONE, subject: "x".into() })
    }
    pub fn access(&mut self, ptr: Expr, size: i128, mode: AccessMode) -> [SiteId; 3] {
        let null = self.site(CheckKind::NullDeref);
        let dangling = self.site(CheckKind::UseAfterFree);
        let bounds = self.site(CheckKind::OutOfBounds);
        let size = self.length(size);
        self.check(Check::Access { ptr, size, mode, null: Some(null), dangling: Some(dangling), bounds });
        [null, dangling, bounds]
    }
    pub fn alloc(&mut self, dest: VarId, size: i128) {
        let alloc = self.program.allocs.push(AllocSite {
            name: "malloc".into(),
            kind: AllocKind::Heap,
            function: self.function,
            span: Span::NONE,
        });
        let (dest, size) = (self.place(dest), self.length(size));
        self.stmt(StmtKind::Alloc { alloc, dest, size, zeroed: false, fails: None });
    }
    pub fn input_site(&mut self) -> InputId {
        self.program.inputs.push(InputSite {
            name: "rand()".into(),
            function: self.function,
            span: Span::NONE,
            approximate: false,
            excluded: Default::default(),
        })
    }
    pub fn call(&mut self, dest: Option<VarId>, callee: Callee, args: Vec<Expr>) {
        let call = self.program.calls.push(CallSite { function: self.function, span: Span::NONE });
        let dest = dest.map(|d| self.place(d));
        self.stmt(StmtKind::Call { call, dest, callee, args });
    }
    pub fn new_block(&mut self) -> BlockId {
        self.program.functions[self.function].blocks.push(Block {
            stmts: vec![],
            terminator: Terminator::Unreachable,
            span: Span::NONE,
            keyword: None,
        })
    }
    pub fn end(&mut self, terminator: Terminator) {
        self.program.functions[self.function].blocks[self.block].terminator = terminator;
    }
    pub fn ret(&mut self, value: Expr) {
        self.end(Terminator::Return(Some(value)));
    }
    /// Runs the first function with default inputs.
    pub fn run(&self) -> Run {
        self.run_with(&mut Defaults, &Limits::default())
    }
    pub fn run_with(&self, inputs: &mut dyn InputSource, limits: &Limits) -> Run {
        run(&self.program, FuncId(0), inputs, limits)
    }
    /// The number that the first function returns.
    pub fn result(&self) -> i128 {
        match self.run().outcome {
            Outcome::Returned(Some(Value::Int(v, _))) => v,
            other => panic!("no number: {other:?}"),
        }
    }
}
